import type { StateDigest, StatePart } from '../../model/state-digest.ts';
import type {
  StateCheckpointStatus,
  StateMemoryUse,
  StateStatus,
} from '../../model/state-status.ts';
import type { Coverage } from '../chain-status.ts';
import { described, instant, integer, list, nullable, number, text } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** A SHA-256 in hexadecimal. */
const EXAMPLE_DIGEST = 'c0ffee00'.repeat(8);

const Part = wireRecord<StatePart>()({
  name: [text, 'name'],
  sum: [text, 'sum', 'Sum of the hashes of its contents, in hexadecimal.'],
});

const State = wireRecord<StateDigest>()({
  slot: [integer, 'slot'],
  blockhash: [nullable(text), 'blockhash'],
  digest: [text, 'digest', 'SHA-256 over the parts, in hexadecimal.'],
  parts: [list(Part), 'parts', 'In a fixed order, to find which part differs.'],
});

const SlotDigest = wireRecord<StateDigest>()({
  slot: [integer, 'slot'],
  digest: [text, 'digest'],
});

const Memory = wireRecord<StateMemoryUse>()({
  page_bytes: [integer, 'pageBytes'],
  page_bytes_max: [bytes(), ({ pageBytesMax }) => finite(pageBytesMax)],
  object_bytes: [integer, 'objectBytes', 'Approximate, as of some slots ago.'],
  object_bytes_max: [bytes(), ({ objectBytesMax }) => finite(objectBytesMax)],
});

/** A checkpoint, and the time of the newest slot. */
interface NewestCheckpoint {
  readonly slot: number;
  readonly timeMs: number;
  readonly nowMs: number;
}

const Newest = wireRecord<NewestCheckpoint>()({
  slot: [integer, 'slot'],
  block_time: [nullable(instant), ({ timeMs }) => (timeMs === 0 ? null : timeMs)],
  age_seconds: [number, ageSeconds, 'Chain time from it to the newest slot.'],
});

const Checkpoints = wireRecord<StateCheckpointStatus & { readonly nowMs: number }>()({
  newest: [
    nullable(Newest),
    ({ newest, nowMs }) => (newest === null ? null : { ...newest, nowMs }),
    'What a start continues from; null before the first.',
  ],
  count: [integer, 'count', 'Checkpoints from which a late slot can be applied.'],
  disk_bytes: [integer, 'fileBytes', 'Files of all of them, as of the newest.'],
  failures: [
    integer,
    'failures',
    'Checkpoints that could not be stored since the state was opened.',
  ],
});

/** Fields of the coverage about the state. */
export const STATE_COVERAGE = {
  state: [
    nullable(State),
    'state',
    'The state after its slot, which was the last one at most two seconds ago: equal for services ' +
      'that applied the same slots under the same version and settings. Null before the first slot.',
  ],
  state_digests: [
    list(SlotDigest),
    'digests',
    'Newest first: at most 96 of requested states, and at most 96 of checkpoints, which services ' +
      'that follow the same chain begin at the same slots.',
  ],
  state_memory: [
    nullable(Memory),
    ({ stateStatus }: Coverage) => stateStatus?.memory ?? null,
    'Null where the state is in memory alone.',
  ],
  state_checkpoints: [
    nullable(Checkpoints),
    ({ stateStatus, timeMs }: Coverage) => withTime(stateStatus, timeMs),
    'Null where the state is in memory alone.',
  ],
} as const;

export const STATE_EXAMPLE = {
  state: {
    slot: 326_027_759,
    blockhash: null,
    digest: EXAMPLE_DIGEST,
    parts: [{ name: 'tokens', sum: '0badcafe'.repeat(4) }],
  },
  state_digests: [{ slot: 326_027_759, digest: EXAMPLE_DIGEST }],
  state_memory: {
    page_bytes: 1_048_576,
    page_bytes_max: 6_442_450_944,
    object_bytes: 0,
    object_bytes_max: 2_147_483_648,
  },
  state_checkpoints: {
    newest: { slot: 326_027_700, block_time: '2025-03-11T12:00:00.000Z', age_seconds: 23.6 },
    count: 1,
    disk_bytes: 1_048_576,
    failures: 0,
  },
} as const;

function bytes() {
  return nullable(described(integer, 'Null without a bound.'));
}

function finite(bound: number): number | null {
  return Number.isFinite(bound) ? bound : null;
}

function ageSeconds({ timeMs, nowMs }: NewestCheckpoint): number {
  return Math.max(0, nowMs - timeMs) / 1_000;
}

function withTime(status: StateStatus | null, nowMs: number) {
  return status === null ? null : { ...status.checkpoints, nowMs };
}
