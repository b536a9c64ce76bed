// What "Copy as Python" hands out: for each {specification, news} of a job the code, and the setting.
import { Setting } from "../../tutlib/live/setting.js";

let text = "";
for await (const part of process.stdin) text += part;
const found = JSON.parse(text).map(({ specification, news }) => {
  const setting = new Setting(specification);
  setting.merge(news);
  return { code: setting.toPython(), setting: setting.copy() };
});
process.stdout.write(JSON.stringify(found));
