export { type Arena, createArena } from "./arena.ts";
export { type Config, ConfigError, type ConfigInput, loadConfig, SETTINGS } from "./config.ts";
export { type OpenedArena, openArena, StartError } from "./open-arena.ts";
export type { Clock, Ports, Random } from "./ports.ts";
export { AGON_VERSION } from "./version.ts";
