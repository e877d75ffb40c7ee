#!/usr/bin/env node
// Old syntax on purpose: a Node too old for the package must still be able to read this file and say so.
var version = process.versions.node.split(".").map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 19)) {
  console.error(
    "agon needs Node 22.19 or newer (this is " + process.version + "). Start it with npx agon or npm start.",
  );
  process.exit(2);
}
import("agon")
  .then(function (cli) {
    return cli.main(process.argv);
  })
  .catch(function (error) {
    console.error(error);
    process.exit(1);
  });
