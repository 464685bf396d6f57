import { BENIGN_FAMILIES, type BenignFamily, FRAUD_TYPES, type FraudType } from './truth/labels.ts';

/** Kinds of people and programs that trade, each with a population of its own. */
export const BEHAVIOURS = [
  'casual',
  'terminalUser',
  'freshUser',
  'sniper',
  'copyTrader',
  'marketMaker',
  'arbitrageur',
  'sandwicher',
  'volumeBot',
  'smartTrader',
  'luckyTrader',
  'promoter',
  'holder',
  'handScalper',
  'whale',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

/** Everything a simulation depends on: the same configuration gives the same bytes. */
export interface SimulationConfig {
  readonly seed: string;
  readonly firstSlot: number;
  /** Milliseconds since 1970 at the first slot's start. */
  readonly startMs: number;
  /** Length of a slot in milliseconds, and from `laterFromSlot` on `laterSlotMs`. */
  readonly slotMs: number;
  readonly laterSlotMs: number;
  readonly laterFromSlot: number;
  /** Share of slots without a block. */
  readonly skipRate: number;
  /** Share of slots at which a branch begins that is dropped. */
  readonly forkRate: number;
  readonly forkSlotsMax: number;
  /**
   * Slots in which nobody sends anything bring no block: weeks of a quiet market cost what is traded
   * in them.
   */
  readonly skipsIdleSlots: boolean;
  readonly blockCapacity: number;
  readonly votesPerBlock: number;
  /** Mean time between two trades in a SOL/USDC pool, of those who hold it at the price of SOL. */
  readonly solTradeEveryMs: number;
  /** Ordinary launches, beside those that attacks and look-alikes bring. */
  readonly launchesPerHour: number;
  /** Launches of tokens that begin in a pool of their own, without a launchpad. */
  readonly poolLaunchesPerHour: number;
  /** How much a launched token is wanted: a uniform number, 0 to 1, to this power. */
  readonly qualityPower: number;
  /** Wallets whose clients keep pump's fees in the curve or pool, as most do since October 2026. */
  readonly keptFeesShare: number;
  /** Of the other wallets, those that call the second form of pump's instructions. */
  readonly secondFormShare: number;
  /** Wallets whose purchases from pump name a number of tokens instead of an amount. */
  readonly exactTokensShare: number;
  /** Ordinary launches quoted in dollars or in another launched coin. */
  readonly otherQuoteShare: number;
  /** Ordinary launches whose creator fees go to holders. */
  readonly holderRewardShare: number;
  /** Mean times between two payouts of kept fees, and between two purchases that are burnt. */
  readonly feeSweepEveryMs: number;
  readonly boostEveryMs: number;
  /** Each visitor stands for so many: fewer come, each with as many times the money. */
  readonly crowdWeight: number;
  /** Size of each population. */
  readonly people: Readonly<Record<Behaviour, number>>;
  /** Runs of each attack, difficulties in equal shares. */
  readonly attacksPerHour: Readonly<Record<FraudType, number>>;
  readonly benignPerHour: Readonly<Record<BenignFamily, number>>;
}

/** What a configuration must be, and what is wrong with one that is not. */
export interface ConfigRefusal {
  /** Path of the field, as in `people.sniper`. */
  readonly field: string;
  readonly reason: string;
}

const DEFAULTS: SimulationConfig = {
  seed: 'mintscope',
  firstSlot: 400_000_000,
  startMs: Date.UTC(2026, 0, 1),
  slotMs: 400,
  laterSlotMs: 400,
  laterFromSlot: 0,
  skipRate: 0.02,
  forkRate: 0.002,
  forkSlotsMax: 3,
  skipsIdleSlots: false,
  blockCapacity: 1_200,
  votesPerBlock: 2,
  solTradeEveryMs: 5_000,
  launchesPerHour: 120,
  poolLaunchesPerHour: 20,
  qualityPower: 3,
  keptFeesShare: 0.8,
  secondFormShare: 0.5,
  exactTokensShare: 0.3,
  otherQuoteShare: 0.06,
  holderRewardShare: 0.05,
  feeSweepEveryMs: 20_000,
  boostEveryMs: 20_000,
  crowdWeight: 1,
  people: {
    casual: 600,
    terminalUser: 300,
    freshUser: 300,
    sniper: 20,
    copyTrader: 20,
    marketMaker: 4,
    arbitrageur: 6,
    sandwicher: 4,
    volumeBot: 6,
    smartTrader: 20,
    luckyTrader: 20,
    promoter: 10,
    holder: 0,
    handScalper: 0,
    whale: 0,
  },
  attacksPerHour: recordOf(FRAUD_TYPES, 4),
  benignPerHour: recordOf(BENIGN_FAMILIES, 1),
};

/** Nothing happens but what people do, and no slot passes for nothing. */
const QUIET = {
  skipRate: 0,
  forkRate: 0,
  skipsIdleSlots: true,
  votesPerBlock: 0,
  solTradeEveryMs: 240_000,
  feeSweepEveryMs: 1_800_000,
  boostEveryMs: 1_800_000,
  attacksPerHour: recordOf(FRAUD_TYPES, 0),
  benignPerHour: recordOf(BENIGN_FAMILIES, 0),
} as const;

/** Configurations by name. */
export const PRESETS = {
  /** What `npm start` shows: something of most things within minutes. */
  demo: {
    ...DEFAULTS,
    seed: 'market',
    launchesPerHour: 240,
    poolLaunchesPerHour: 60,
    qualityPower: 1,
    attacksPerHour: recordOf(FRAUD_TYPES, 30),
    benignPerHour: recordOf(BENIGN_FAMILIES, 4),
  },
  /** As DEFAULTS say: a market for tests and for files. */
  market: DEFAULTS,
  /** Blocks as full as the main network's. */
  busy: {
    ...DEFAULTS,
    votesPerBlock: 20,
    launchesPerHour: 1_800,
    poolLaunchesPerHour: 200,
    people: mapRecord(DEFAULTS.people, (count) => count * 10),
  },
  /** People and launches without attacks, forks or skipped slots. */
  calm: {
    ...DEFAULTS,
    skipRate: 0,
    forkRate: 0,
    attacksPerHour: recordOf(FRAUD_TYPES, 0),
    benignPerHour: recordOf(BENIGN_FAMILIES, 0),
  },
  /** Many launches that few want, as on most days: programs have as much to do as they can. */
  launches: {
    ...DEFAULTS,
    ...QUIET,
    launchesPerHour: 50,
    poolLaunchesPerHour: 2,
    qualityPower: 8,
    crowdWeight: 4,
    people: { ...DEFAULTS.people, holder: 100, handScalper: 30, whale: 6 },
  },
  /** Few launches a day, of which weeks pass quickly: people trade again and again. */
  month: {
    ...DEFAULTS,
    ...QUIET,
    launchesPerHour: 0.4,
    poolLaunchesPerHour: 0.05,
    crowdWeight: 5,
    people: {
      ...DEFAULTS.people,
      casual: 300,
      terminalUser: 150,
      freshUser: 100,
      holder: 60,
      handScalper: 20,
      whale: 4,
      sniper: 6,
      copyTrader: 3,
      marketMaker: 0,
      arbitrageur: 0,
      sandwicher: 2,
      volumeBot: 3,
      smartTrader: 24,
    },
  },
} as const satisfies Readonly<Record<string, SimulationConfig>>;

export type PresetName = keyof typeof PRESETS;

/** A whole number, or any number, in a range; a text; yes or no. */
type Rule =
  | { readonly kind: 'text' | 'flag' }
  | { readonly kind: 'integer' | 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'counts'; readonly names: readonly string[]; readonly isWhole: boolean };

const SLOT_MAX = 2 ** 40;
const RULES: Readonly<Record<keyof SimulationConfig, Rule>> = {
  seed: { kind: 'text' },
  firstSlot: { kind: 'integer', least: 1, most: SLOT_MAX },
  startMs: { kind: 'integer', least: 0, most: Date.UTC(2100, 0, 1) },
  slotMs: { kind: 'integer', least: 200, most: 600 },
  laterSlotMs: { kind: 'integer', least: 200, most: 600 },
  laterFromSlot: { kind: 'integer', least: 0, most: SLOT_MAX },
  skipRate: { kind: 'number', least: 0, most: 0.5 },
  forkRate: { kind: 'number', least: 0, most: 0.5 },
  forkSlotsMax: { kind: 'integer', least: 1, most: 31 },
  skipsIdleSlots: { kind: 'flag' },
  blockCapacity: { kind: 'integer', least: 1, most: 10_000 },
  votesPerBlock: { kind: 'integer', least: 0, most: 2_000 },
  solTradeEveryMs: { kind: 'integer', least: 1_000, most: 3_600_000 },
  launchesPerHour: { kind: 'number', least: 0, most: 36_000 },
  poolLaunchesPerHour: { kind: 'number', least: 0, most: 36_000 },
  qualityPower: { kind: 'number', least: 1, most: 50 },
  keptFeesShare: { kind: 'number', least: 0, most: 1 },
  secondFormShare: { kind: 'number', least: 0, most: 1 },
  exactTokensShare: { kind: 'number', least: 0, most: 1 },
  otherQuoteShare: { kind: 'number', least: 0, most: 1 },
  holderRewardShare: { kind: 'number', least: 0, most: 1 },
  feeSweepEveryMs: { kind: 'integer', least: 1_000, most: 86_400_000 },
  boostEveryMs: { kind: 'integer', least: 1_000, most: 86_400_000 },
  crowdWeight: { kind: 'integer', least: 1, most: 100 },
  people: { kind: 'counts', names: BEHAVIOURS, isWhole: true },
  attacksPerHour: { kind: 'counts', names: FRAUD_TYPES, isWhole: false },
  benignPerHour: { kind: 'counts', names: BENIGN_FAMILIES, isWhole: false },
};

const COUNT_MAX = 1_000_000;

/**
 * Reads a configuration, as from a JSON file, on top of a preset. Fields that are left out keep the
 * preset's value; the first thing that is wrong is said with the field's name.
 */
export function parseSimulationConfig(
  given: unknown,
  base: SimulationConfig = PRESETS.market,
): SimulationConfig | ConfigRefusal {
  if (!isRecord(given)) return { field: '', reason: 'must be an object' };
  const parsed: Record<string, unknown> = { ...base };
  for (const [field, value] of Object.entries(given)) {
    if (!Object.hasOwn(RULES, field)) return { field, reason: 'is no setting of a simulation' };
    const rule = RULES[field as keyof SimulationConfig];
    const refusal = refusalOf(field, rule, value);
    if (refusal !== null) return refusal;
    const isPartial = rule.kind === 'counts';
    parsed[field] = isPartial ? { ...(parsed[field] as object), ...(value as object) } : value;
  }
  const config = parsed as unknown as SimulationConfig;
  return contradictionOf(config) ?? config;
}

export function isRefusal(parsed: SimulationConfig | ConfigRefusal): parsed is ConfigRefusal {
  return 'reason' in parsed;
}

function refusalOf(field: string, rule: Rule, value: unknown): ConfigRefusal | null {
  switch (rule.kind) {
    case 'text': {
      const isText = typeof value === 'string' && value.length > 0 && value.length <= 200;
      return isText ? null : { field, reason: 'must be a text of 1 to 200 characters' };
    }
    case 'flag':
      return typeof value === 'boolean' ? null : { field, reason: 'must be true or false' };
    case 'counts':
      return countsRefusal(field, rule, value);
    default:
      return numberRefusal(field, rule, value);
  }
}

function countsRefusal(
  field: string,
  { names, isWhole }: Rule & { readonly kind: 'counts' },
  value: unknown,
): ConfigRefusal | null {
  if (!isRecord(value)) return { field, reason: 'must be an object' };
  for (const [name, count] of Object.entries(value)) {
    const path = `${field}.${name}`;
    if (!names.includes(name)) return { field: path, reason: `is none of ${names.join(', ')}` };
    const kind = isWhole ? 'integer' : 'number';
    const refusal = numberRefusal(path, { kind, least: 0, most: COUNT_MAX }, count);
    if (refusal !== null) return refusal;
  }
  return null;
}

function numberRefusal(
  field: string,
  { kind, least, most }: Rule & { readonly kind: 'integer' | 'number' },
  value: unknown,
): ConfigRefusal | null {
  const isFit =
    typeof value === 'number' &&
    value >= least &&
    value <= most &&
    (kind === 'number' || Number.isInteger(value));
  const noun = kind === 'integer' ? 'a whole number' : 'a number';
  return isFit ? null : { field, reason: `must be ${noun} from ${least} to ${most}` };
}

/** Values that are fine alone and make no market together. */
function contradictionOf(config: SimulationConfig): ConfigRefusal | null {
  const traders = Object.values(config.people).reduce((sum, count) => sum + count, 0);
  if (traders === 0 && config.launchesPerHour + config.poolLaunchesPerHour > 0) {
    return { field: 'people', reason: 'must not be empty where tokens are launched' };
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordOf<Name extends string>(
  names: readonly Name[],
  value: number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, number>;
}

function mapRecord<Name extends string>(
  record: Readonly<Record<Name, number>>,
  map: (value: number) => number,
): Record<Name, number> {
  return Object.fromEntries(
    Object.entries<number>(record).map(([name, value]) => [name, map(value)]),
  ) as Record<Name, number>;
}
