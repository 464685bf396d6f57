import { decodeBase58 } from '../../../src/lib/base58.ts';
import { errorOfCode } from './rpc-error.ts';

/**
 * The fault settings: what goes wrong, and how often. Rates are shares from 0 to 1; a switch is a
 * rate of 1. The document at `/faults` and the file of `--faults` have this form.
 */
export interface FaultSettings {
  /** Determines, together with the request, which answers go wrong. */
  readonly seed: string;
  /**
   * Rates of JSON-RPC errors by code, with a node's messages, for the methods that can return them.
   */
  readonly rpcErrors: Readonly<Record<string, number>>;
  /** Rates of HTTP answers by status: 429 with Retry-After, 500 to 599. */
  readonly httpErrors: Readonly<Record<string, number>>;
  readonly retryAfterSeconds: number;
  /** The lag that error -32005 reports. */
  readonly behindSlots: number;
  /** Answers delayed by a time between `delayMinMs` and `delayMaxMs`. */
  readonly delay: number;
  readonly delayMinMs: number;
  readonly delayMaxMs: number;
  /** The connection stays open but sends no byte. */
  readonly stall: number;
  /** The connection ends in the middle of the body. */
  readonly cut: number;
  /** HTTP 200 with a web page. */
  readonly html: number;
  /** HTTP 200 with half of the JSON, with a matching content length. */
  readonly truncatedJson: number;
  /** The result, or one of its fields, has another type. */
  readonly wrongTypes: number;
  /** An integer of the result has thirty digits. */
  readonly hugeIntegers: number;
  /** One transaction of the block has `meta: null`. */
  readonly metaNull: number;
  /** One transaction of the block has `innerInstructions: null`. */
  readonly innerInstructionsNull: number;
  /** No transaction of the block lists the addresses it loaded from tables. */
  readonly loadedAddressesMissing: number;
  /** Logs of the block are truncated, as the runtime truncates them at `logLimitBytes`. */
  readonly logTruncation: number;
  readonly logLimitBytes: number;
  /** An existing block is reported as skipped, with this code. */
  readonly falseSkip: number;
  readonly falseSkipCode: -32004 | -32007 | -32009;
  /** An existing block is missing from lists. */
  readonly listHoles: number;
  /** The node answers with its state of `headBackSlots` ago. */
  readonly headBack: number;
  readonly headBackSlots: number;
  /** Another block of the same slot is shown until `equivocationSlots` later. */
  readonly equivocation: number;
  readonly equivocationSlots: number;
  /** Confirmed and finalized depend on the lag alone, including dropped branches. */
  readonly confirmsDropped: boolean;
  /**
   * Programs that changed, by address: in blocks of these slots each of their instructions starts
   * with other, unknown bytes. `toSlot` is null while the change lasts.
   */
  readonly changedPrograms: Readonly<Record<string, ChangedProgram>>;
  /** Subscription requests are refused. */
  readonly subscribeError: number;
  /** A subscription sends nothing more; decided at each of its notifications. */
  readonly subscriptionLoss: number;
  readonly notificationDuplicate: number;
  /** A notification is sent after the next one of its subscription. */
  readonly notificationSwap: number;
  readonly notificationGarbage: number;
  /** The WebSocket closes without a close frame; decided at each notification. */
  readonly socketCut: number;
  /** The WebSocket stays open and sends nothing more, not even pongs. */
  readonly socketStall: number;
}

/** The slots of the change, both inclusive. */
export interface ChangedProgram {
  readonly fromSlot: number;
  readonly toSlot: number | null;
}

export const CALM: FaultSettings = {
  seed: '1',
  rpcErrors: {},
  httpErrors: {},
  retryAfterSeconds: 1,
  behindSlots: 50,
  delay: 0,
  delayMinMs: 50,
  delayMaxMs: 500,
  stall: 0,
  cut: 0,
  html: 0,
  truncatedJson: 0,
  wrongTypes: 0,
  hugeIntegers: 0,
  metaNull: 0,
  innerInstructionsNull: 0,
  loadedAddressesMissing: 0,
  logTruncation: 0,
  logLimitBytes: 10_000,
  falseSkip: 0,
  falseSkipCode: -32007,
  listHoles: 0,
  headBack: 0,
  headBackSlots: 20,
  equivocation: 0,
  equivocationSlots: 8,
  confirmsDropped: false,
  changedPrograms: {},
  subscribeError: 0,
  subscriptionLoss: 0,
  notificationDuplicate: 0,
  notificationSwap: 0,
  notificationGarbage: 0,
  socketCut: 0,
  socketStall: 0,
};

/** A fault that occurs at random. */
export type FaultName = {
  [Name in keyof FaultSettings]: FaultSettings[Name] extends number
    ? Name extends (typeof COUNTS)[number]
      ? never
      : Name
    : never;
}[keyof FaultSettings];

/** Settings that are counts instead of rates. */
const COUNTS = [
  'retryAfterSeconds',
  'behindSlots',
  'delayMinMs',
  'delayMaxMs',
  'logLimitBytes',
  'falseSkipCode',
  'headBackSlots',
  'equivocationSlots',
] as const;

export type FaultReading =
  | { readonly kind: 'settings'; readonly settings: FaultSettings }
  /** The message names the field. */
  | { readonly kind: 'refused'; readonly message: string };

/** Returns the settings with some fields changed; the others keep their values. */
export function parseFaults(document: unknown, base: FaultSettings = CALM): FaultReading {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { kind: 'refused', message: 'faults must be a JSON object' };
  }
  for (const [name, value] of Object.entries(document)) {
    const problem = problemOf(name, value);
    if (problem !== null) return { kind: 'refused', message: `${name.slice(0, 60)} ${problem}` };
  }
  const settings = { ...base, ...document } as FaultSettings;
  if (settings.delayMinMs > settings.delayMaxMs) {
    return { kind: 'refused', message: 'delayMinMs is above delayMaxMs' };
  }
  return { kind: 'settings', settings };
}

/** Null if the value is valid for the field. */
function problemOf(name: string, value: unknown): string | null {
  if (!Object.hasOwn(CALM, name)) return 'is no fault';
  const special = SPECIAL_FIELDS[name];
  if (special !== undefined) return special(value);
  if (!COUNTS.some((count) => count === name)) return isRate(value) ? null : RATE;
  return isCount(value) ? null : 'must be a whole number from 0 to 1000000';
}

/** Fields that are neither rates nor counts. */
const SPECIAL_FIELDS: Readonly<Record<string, (value: unknown) => string | null>> = {
  seed: (value) => (typeof value === 'string' ? null : 'must be a text'),
  changedPrograms: (value) => changedProgramsProblem(value),
  confirmsDropped: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  rpcErrors: (value) => ratesProblem(value, (code) => errorOfCode(code, 0, 0) !== null, 'code'),
  httpErrors: (value) => ratesProblem(value, isHttpFault, 'status'),
  falseSkipCode: (value) =>
    SKIP_CODES.some((code) => code === value) ? null : 'must be -32004, -32007 or -32009',
};

const SKIP_CODES = [-32004, -32007, -32009];
const RATE = 'must be a rate from 0 to 1';

function ratesProblem(
  value: unknown,
  isKnown: (code: number) => boolean,
  word: string,
): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `must be an object of rates by ${word}`;
  }
  for (const [code, rate] of Object.entries(value)) {
    if (!/^-?\d+$/.test(code) || !isKnown(Number(code))) {
      return `has no ${word} ${code.slice(0, 20)}`;
    }
    if (!isRate(rate)) return `${code} ${RATE}`;
  }
  return null;
}

function changedProgramsProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'must be an object of slots by program';
  }
  const isRight = Object.entries(value).every(
    ([program, slots]) => decodeBase58(program)?.length === 32 && isChangedProgram(slots),
  );
  return isRight ? null : 'must name addresses, each with fromSlot and toSlot (a slot or null)';
}

function isChangedProgram(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { fromSlot, toSlot } = value as { fromSlot?: unknown; toSlot?: unknown };
  return isSlot(fromSlot) && (toSlot === null || isSlot(toSlot));
}

function isSlot(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isHttpFault(status: number): boolean {
  return status === 429 || (status >= 500 && status <= 599);
}

function isRate(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_000_000;
}
