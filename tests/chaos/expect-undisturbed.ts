import { expect } from 'vitest';
import type { ClusterProcesses } from './cluster-processes.ts';
import { endAndJudge } from './cluster-storm.ts';

/**
 * Ends a cluster, and expects the data of one undisturbed process and each step once in the stream,
 * of a market in which something happened.
 */
export async function expectUndisturbed(cluster: ClusterProcesses): Promise<void> {
  const { differences, slots, trades } = await endAndJudge(cluster);
  expect(differences).toEqual([]);
  expect(slots).toBeGreaterThan(50);
  expect(trades).toBeGreaterThan(100);
}
