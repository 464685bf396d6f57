import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import {
  type DataPlane,
  type DataPlaneLocation,
  openDataPlane,
} from '../../src/store/data-plane.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';
import { CLUSTER, startClickHouseCluster } from './clickhouse-cluster.ts';
import { startClickHouseHttp } from './clickhouse-http.ts';

interface Place {
  readonly location: DataPlaneLocation;
  close(): Promise<void>;
}

type OpenPlace = (folder: string) => Promise<Place>;

/** All ways to reach the engine; the store must behave the same with each. */
export const transports: readonly (readonly [string, OpenPlace])[] = [
  ['in this process', async (dataDir) => ({ location: { dataDir }, close: async () => undefined })],
  [
    'over HTTP',
    async (folder) => {
      const server = await startClickHouseHttp(folder);
      const location = { url: server.url, username: 'default', password: '' };
      return { location, close: server.close };
    },
  ],
  [
    'over HTTP, of a cluster',
    async (folder) => {
      const { url, close } = await startClickHouseCluster(folder);
      return { location: { url, username: 'default', password: '', cluster: CLUSTER }, close };
    },
  ],
];

/** A separate data plane for the tests of one describe, with a writer. */
export interface TestPlane {
  readonly location: DataPlaneLocation;
  readonly plane: DataPlane;
  readonly writer: SlotWriter;
}

/** Opens the plane before the tests and removes it after them; use it inside tests only. */
export function useDataPlane(open: OpenPlace): TestPlane {
  let folder: string;
  let place: Place;
  const opened = {} as { -readonly [Name in keyof TestPlane]: TestPlane[Name] };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'data-plane-'));
    place = await open(folder);
    opened.location = place.location;
    opened.plane = await openDataPlane(place.location);
    opened.writer = new SlotWriter(opened.plane.writer);
  });

  afterAll(async () => {
    await opened.plane.close();
    await place.close();
    rmSync(folder, { recursive: true });
  });

  return opened;
}
