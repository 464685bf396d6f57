import { BEHAVIOURS } from './people/behaviour-names.ts';
import type { SimulationConfig } from './simulation-config.ts';
import { PRESETS } from './simulation-presets.ts';
import { BENIGN_FAMILIES, FRAUD_TYPES } from './truth/labels.ts';

/** The field of an invalid configuration and the error in it. */
export interface ConfigRefusal {
  /** Path of the field, as in `people.sniper`. */
  readonly field: string;
  readonly reason: string;
}

/** An integer, or any number, in a range; a text; a boolean. */
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
  secondWaveShare: { kind: 'number', least: 0, most: 1 },
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
 * Parses a configuration, as from a JSON file, on top of a preset. Omitted fields keep the preset's
 * value; the first error is reported with the field's name.
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

/** Values that are valid individually but not in combination. */
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
