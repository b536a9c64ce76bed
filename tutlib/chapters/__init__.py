"""The exercises of each chapter: answers, misconceptions and their hints."""
