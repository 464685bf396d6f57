import type { Mutant } from '../mutant.ts';

const MANIFEST = ['src/ingestion/unreadable-manifest.test.ts'];
const UNREADABLE = ['src/ingestion/unreadable-record.test.ts'];

/** What a device that fails, a stop, and a chain that stands still must not cost. */
export const DEVICE_FAILURE_MUTANTS: readonly Mutant[] = [
  {
    name: 'unread-manifest-ends-a-start',
    file: 'src/store/checkpoints/checkpoint-folder.ts',
    find: "return { kind: 'unread', failure: error };",
    replace: 'throw error;',
    tests: MANIFEST,
    harm: 'One manifest that cannot be read keeps a service from starting, though it is not needed.',
  },
  {
    name: 'start-without-any-manifest-read',
    file: 'src/ingestion/engine-states.ts',
    find: 'restored ?? (opened.unread === null ? null : new StateFailure(opened.unread))',
    replace: 'restored',
    tests: MANIFEST,
    harm: 'A device that fails for a moment at a start costs all checkpoints.',
  },
  {
    name: 'refusal-of-a-moment-not-waited-for',
    file: 'src/ingestion/state-rebuild.ts',
    find: 'if (!isTransientError(failure) && !this.surroundings.recovery.isEnabled) return true;',
    replace: 'if (!isTransientError(failure)) return true;',
    tests: UNREADABLE,
    harm: 'A file server that restarts costs the checkpoints, and the fold of the whole log.',
  },
  {
    name: 'rows-of-another-state-after-a-read-failure',
    file: 'src/ingestion/engine-states.ts',
    find: 'const isUnreadPassedOver = !use.isForRows;',
    replace: 'const isUnreadPassedOver = true;',
    tests: ['src/ingestion/dropped-log.test.ts'],
    harm: 'Two short failures of a device end a service whose old slots were dropped.',
  },
  {
    name: 'removed-object-stays-in-the-checkpoint',
    file: 'src/store/checkpoints/state-pages.ts',
    find: 'if (bytes === null) records.deleteAsOf(space, id);',
    replace: 'if (bytes === null) records.delete(space, id);',
    tests: ['src/store/checkpoints/state-pages.test.ts'],
    harm: 'Each restart adds records that nothing refers to, which are stored for ever.',
  },
  {
    name: 'resting-iterator-of-objects',
    file: 'src/lib/object-map.ts',
    find: 'private candidates: MapIterator<[number, Entry<Value>]> | null = null;',
    replace:
      'private candidates: MapIterator<[number, Entry<Value>]> | null = this.entries.entries();',
    tests: ['src/lib/object-map.test.ts'],
    harm: 'Memory grows with each candle, signal and finding that was closed.',
  },
  {
    name: 'upgrade-after-the-service-began-to-stop',
    file: 'src/api/streams/web-sockets.ts',
    find: 'if (this.isClosing) throw new ApiError(503, SHUTTING_DOWN);',
    replace: '',
    tests: ['src/api/streams/web-sockets.test.ts'],
    harm: 'The service does not stop before a client leaves.',
  },
  {
    name: 'standing-chain-ends-replays',
    file: 'src/chain/yellowstone/yellowstone-feed.ts',
    find: '      this.replay.noteData();\n      return [];',
    replace: '      return [];',
    tests: ['src/chain/yellowstone/yellowstone-feed.test.ts'],
    harm: 'After a halt of the chain the blocks that a reconnection missed are never asked for.',
  },
];
