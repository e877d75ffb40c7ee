export { type Arena, createArena } from "./arena.ts";
export { type Config, ConfigError, type ConfigInput, loadConfig, SETTINGS } from "./config.ts";
export type { Clock, Ports, Random } from "./ports.ts";
export { openArena, type OpenedArena, StartError } from "./open-arena.ts";
export { AGON_VERSION } from "./version.ts";
