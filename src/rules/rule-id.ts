import { contentHash } from '../lib/content-hash.ts';
import type { RuleFile } from './file/rule-file.ts';

const HASH_DIGITS = 16;

/** The content of a rule as one text, whatever the order of its keys, its comments and its layout. */
export function canonicalRule(file: RuleFile): string {
  return JSON.stringify(sorted(file));
}

/** SHA-256 of the canonical content, 64 hex digits. */
export function ruleHash(file: RuleFile): string {
  return contentHash([canonicalRule(file)]);
}

/** `name@version+hash`, with the first 16 digits of the hash. */
export function ruleId({ name, version }: RuleFile, hash: string): string {
  return `${name}@${version}+${hash.slice(0, HASH_DIGITS)}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}
