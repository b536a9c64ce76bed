"""Shapes, frames and marks that animations, panels and sketches are drawn with."""
