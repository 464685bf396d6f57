import { DRIFT_MEASURES } from '../../model/venue-change.ts';
import type { DriftState, TrackedState } from './drift-tracker.ts';

/** Incremented when an older state can no longer be read correctly. */
const VERSION = 1;

/** Serialises the state of a tracker. */
export function formatDriftState(state: DriftState): string {
  return JSON.stringify({ version: VERSION, ...state });
}

/** Returns null for a text of another version or in another format. */
export function parseDriftState(text: string): DriftState | null {
  const document = parsedJson(text);
  if (!isRecord(document) || document.version !== VERSION) return null;
  const { lastSlot, programs } = document;
  if (!isSlotNumber(lastSlot) || !isRecord(programs)) return null;
  if (!Object.values(programs).every(isTracked)) return null;
  return { lastSlot, programs: programs as Readonly<Record<string, TrackedState>> };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isTracked(value: unknown): value is TrackedState {
  if (!isRecord(value) || !isSlotNumber(value.lastSlot)) return false;
  const { series, examples } = value;
  if (!isRecord(series) || !isRecord(examples)) return false;
  return DRIFT_MEASURES.every(
    (measure) => isSeries(series[measure]) && isExamples(examples[measure]),
  );
}

function isSeries(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { recent, past, span, alarmSlot } = value;
  const isPast = Array.isArray(past) && past.length === 2 && past.every((one) => isNumbers(one, 2));
  const isRecent =
    Array.isArray(recent) &&
    recent.every((one) => Array.isArray(one) && one.length === 5 && isNumbers(one.slice(0, 4), 4));
  return isPast && isRecent && isCount(span) && (alarmSlot === null || isCount(alarmSlot));
}

function isExamples(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        Array.isArray(one) &&
        typeof one[0] === 'string' &&
        isCount(one[1]) &&
        typeof one[2] === 'string' &&
        isCount(one[3]),
    )
  );
}

function isNumbers(value: unknown, length: number): boolean {
  return Array.isArray(value) && value.length === length && value.every(isCount);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isSlotNumber(value: unknown): value is number {
  return value === -1 || isCount(value);
}
