import { contentHash } from '../../lib/content-hash.ts';

/** A range that a figure has to be in, ends included; null is an open end. */
export interface Condition {
  readonly least: number | null;
  readonly most: number | null;
  /** A sentence. */
  readonly reason: string;
}

/** What a model goes by. Another table, or another meaning of a feature, is another version. */
export interface ModelParameters {
  readonly version: number;
  /** A model says nothing of a token again for so long. */
  readonly coolDownMinutes: number;
  /** By feature. */
  readonly conditions: Readonly<Record<string, Condition>>;
  /** SHA-256 of all of the above, whatever the order of its keys. */
  readonly hash: string;
}

/**
 * Reads `{version, coolDownMinutes, conditions: {<feature>: {least?, most?, reason}}}`. Throws
 * TypeError for a table that is not such.
 */
export function parseModelParameters(json: unknown): ModelParameters {
  const { version, coolDownMinutes, conditions } = asRecord(json);
  if (!Number.isSafeInteger(version)) throw new TypeError('parameters have a version');
  if (typeof coolDownMinutes !== 'number' || !(coolDownMinutes >= 0)) {
    throw new TypeError('parameters have a cool-down');
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
    throw new TypeError(`the condition on ${feature} has an end`);
  }
  if (typeof reason !== 'string' || Object.keys(rest).length > 0) {
    throw new TypeError(`the condition on ${feature} has a reason and no more`);
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
    throw new TypeError('parameters are a table');
  }
  return value as Readonly<Record<string, unknown>>;
}
