export { type Arena, createArena } from "./arena.ts";
export { type Config, ConfigError, type ConfigInput, loadConfig, SETTINGS } from "./config.ts";
export { type PromptInput, parsePromptInput } from "./ladder/prompt-input.ts";
export { type OpenedArena, openArena, StartError } from "./open-arena.ts";
export type { Clock, Ports, Random } from "./ports.ts";
export { applyOutcome, type Outcome, START_ELO, type Standing } from "./ratings/elo.ts";
export { AGON_VERSION } from "./version.ts";
