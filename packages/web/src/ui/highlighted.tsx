import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";

// The languages that answers here are written in; each costs a kilobyte or two, and all of them forty times as much.
const lowlight = createLowlight({ bash, css, diff, go, javascript, json, python, rust, sql, typescript, xml, yaml });
lowlight.registerAlias({
  bash: ["sh", "shell"],
  javascript: ["js", "jsx"],
  typescript: ["ts", "tsx"],
  python: ["py"],
  xml: ["html"],
  yaml: ["yml"],
});

/** Code with its parts coloured, as elements and never as markup. */
export default function Highlighted({ code, language }: { code: string; language: string }) {
  if (!lowlight.registered(language)) return code;
  return toJsxRuntime(lowlight.highlight(language, code), { Fragment, jsx, jsxs });
}
