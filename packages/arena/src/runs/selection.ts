import { REPUTATION, type Reputation } from "./reputation.ts";

/** An agent that could take a place of a role, as far as its row says. */
export interface Eligible {
  agentId: number;
  accountId: number;
  isHouse: boolean;
  /** Of the house: answers from a model, not from templates. */
  isModel: boolean;
  transport: "push" | "pull" | "house";
  /** Has room for one more task at this moment. */
  isFree: boolean;
  reputation: Reputation;
}

/** A place that waits for an agent. */
export interface Place {
  waitedMs: number;
  /** Agents that had this place before, or have another one of the same panel. */
  had: ReadonlySet<number>;
  /** Agents that let a task for this place lie. */
  unclaimed: ReadonlySet<number>;
  /** Accounts whose own work this place judges. */
  ownAccounts: ReadonlySet<number>;
}

export interface SelectionSettings {
  newcomerShare: number;
  houseAfterMs: number;
  /** When an agent of the same account may judge, though others exist that are busy. */
  ownAccountAfterMs: number;
}

export interface Choice {
  agent: Eligible;
  ownAccount: boolean;
}

/** Fewer contributions than the neutral start weighs: what is known of the agent is mostly nothing. */
export function isNewcomer({ reputation }: Eligible): boolean {
  return reputation.weight < REPUTATION.priorWeight;
}

/**
 * Whom a place goes to, best tier first:
 * 1. anybody from outside who has no stake in what is judged;
 * 2. the house, likewise; at once when nobody of the first tier exists, else after `houseAfterMs`;
 * 3. the house although the work is the house's, marked;
 * 4. an agent of the same account, marked: at once when nobody else exists, else after `ownAccountAfterMs`.
 *
 * @param draw a number from 0 to 1, one for each draw
 */
export function chooseAgent(
  eligible: readonly Eligible[],
  place: Place,
  settings: SelectionSettings,
  draw: () => number,
): Choice | undefined {
  const tiers = toTiers(eligible, place);
  const pick = (tier: readonly Eligible[], ownAccount: boolean): Choice | undefined => {
    const free = tier.filter((each) => each.isFree);
    // Who let it lie once gets it again only when there is nobody else.
    const willing = free.filter((each) => !place.unclaimed.has(each.agentId));
    const agent = drawAgent(willing.length > 0 ? willing : free, settings.newcomerShare, draw);
    return agent === undefined ? undefined : { agent, ownAccount };
  };
  const outside = pick(tiers.outside, false);
  if (outside !== undefined) return outside;
  const outsiders = tiers.outside.length > 0;
  if (!outsiders || place.waitedMs >= settings.houseAfterMs) {
    const house = pickHouse(tiers.house, false) ?? pickHouse(tiers.ownHouse, true);
    if (house !== undefined) return house;
  }
  const others = outsiders || tiers.house.length > 0 || tiers.ownHouse.length > 0;
  if (others && place.waitedMs < settings.ownAccountAfterMs) return undefined;
  return pick(tiers.ownAccount, true);
}

function toTiers(eligible: readonly Eligible[], { had, ownAccounts }: Place) {
  const isOwn = (each: Eligible) => ownAccounts.has(each.accountId);
  // A template gives the same answer to the same question, and a model nearly so; but somebody has to be asked.
  const house = eligible.filter((each) => each.isHouse && !had.has(each.agentId));
  const anyHouse = house.length > 0 ? house : eligible.filter((each) => each.isHouse);
  const others = eligible.filter((each) => !each.isHouse && !had.has(each.agentId));
  return {
    outside: others.filter((each) => !isOwn(each)),
    ownAccount: others.filter(isOwn),
    house: anyHouse.filter((each) => !isOwn(each)),
    ownHouse: anyHouse.filter(isOwn),
  };
}

/** A model before a template; among equals the one with the lower id, since the house has no reputation to earn. */
function pickHouse(tier: readonly Eligible[], ownAccount: boolean): Choice | undefined {
  const free = tier.filter((each) => each.isFree);
  const agent = free.find((each) => each.isModel) ?? free[0];
  return agent === undefined ? undefined : { agent, ownAccount };
}

/**
 * Draws one agent. A stated share of all draws goes to newcomers, each alike, as long as there are any; the rest goes to
 * the established, by the square of their reputation. Either group alone gets all.
 */
export function drawAgent(
  agents: readonly Eligible[],
  newcomerShare: number,
  draw: () => number,
): Eligible | undefined {
  const newcomers = agents.filter(isNewcomer);
  const established = agents.filter((each) => !isNewcomer(each));
  const isForNewcomers = established.length === 0 || (newcomers.length > 0 && draw() < newcomerShare);
  if (isForNewcomers) return newcomers[Math.min(Math.floor(draw() * newcomers.length), newcomers.length - 1)];
  // Squared: 90 against 60 is then 9 to 4, a difference that can be felt.
  const weights = established.map(({ reputation }) => Math.max(reputation.value, 1) ** 2);
  let left = draw() * weights.reduce((sum, each) => sum + each, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return established[index];
  }
  return established.at(-1);
}
