import { contentHash } from '../../lib/content-hash.ts';

/** A range for the value of a feature, bounds included; null is an open end. */
export interface Condition {
  readonly least: number | null;
  readonly most: number | null;
  /** A sentence. */
  readonly reason: string;
}

/**
 * The parameters of a model. Changing a value or the meaning of a feature requires a new version.
 */
export interface ModelParameters {
  readonly version: number;
  /** Minimum time between two signals of the model for one token. */
  readonly coolDownMinutes: number;
  /** By feature. */
  readonly conditions: Readonly<Record<string, Condition>>;
  /** SHA-256 of the above except for reasons, independent of the order of keys. */
  readonly hash: string;
}

/**
 * Parses `{version, coolDownMinutes, conditions: {<feature>: {least?, most?, reason}}}`. Throws
 * TypeError for anything else.
 */
export function parseModelParameters(json: unknown): ModelParameters {
  const { version, coolDownMinutes, conditions } = asRecord(json);
  if (!Number.isSafeInteger(version)) throw new TypeError('the version must be an integer');
  if (typeof coolDownMinutes !== 'number' || !(coolDownMinutes >= 0)) {
    throw new TypeError('the cool-down must not be negative');
  }
  const entries = Object.entries(asRecord(conditions)).map(
    ([feature, condition]) => [feature, parseCondition(feature, condition)] as const,
  );
  const parsed = {
    version: version as number,
    coolDownMinutes,
    conditions: Object.fromEntries(entries),
  };
  return { ...parsed, hash: hashOf(parsed) };
}

function parseCondition(feature: string, json: unknown): Condition {
  const { least = null, most = null, reason, ...rest } = asRecord(json);
  const isEnd = (end: unknown): end is number | null => end === null || Number.isFinite(end);
  if (!isEnd(least) || !isEnd(most) || (least === null && most === null)) {
    throw new TypeError(`the condition on ${feature} must have a bound`);
  }
  if (typeof reason !== 'string' || Object.keys(rest).length > 0) {
    throw new TypeError(`the condition on ${feature} must have a reason and no unknown fields`);
  }
  return { least, most, reason };
}

function hashOf({ version, coolDownMinutes, conditions }: Omit<ModelParameters, 'hash'>): string {
  const lines = Object.keys(conditions)
    .sort()
    .map((feature) => `${feature} ${conditions[feature]?.least} ${conditions[feature]?.most}`);
  return contentHash([`version ${version}`, `cool-down ${coolDownMinutes}`, ...lines]);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('parameters must be an object');
  }
  return value as Readonly<Record<string, unknown>>;
}
