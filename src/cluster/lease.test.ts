import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../../tests/support/nats.ts';
import type { Clock } from '../lib/clock.ts';
import { Lease, type LeaseEntry, type LeaseStore } from './lease.ts';
import { connectToNats } from './nats-connection.ts';
import { NatsLeases } from './nats-leases.ts';

warnWithoutNats();

class MemoryLeases implements LeaseStore {
  private readonly entries = new Map<string, LeaseEntry>();
  private revision = 0;

  async read(key: string): Promise<LeaseEntry | null> {
    return this.entries.get(key) ?? null;
  }

  async write(key: string, token: string, revision: number): Promise<number | null> {
    if ((this.entries.get(key)?.revision ?? 0) !== revision) return null;
    this.entries.set(key, { token, revision: ++this.revision });
    return this.revision;
  }
}

/** A machine with a monotonic clock of its own, whose zero and pace are its own too. */
class Machine implements Clock {
  private ms: number;
  private readonly wakes: { readonly atMs: number; readonly wake: () => void }[] = [];
  isStopped = false;

  constructor(startMs: number) {
    this.ms = startMs;
  }

  nowMs(): number {
    return this.ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      this.wakes.push({ atMs: this.ms + ms, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Time passes; a stopped process does nothing meanwhile. */
  async pass(ms: number): Promise<void> {
    this.ms += ms;
    if (this.isStopped) return;
    for (const one of this.wakes.splice(0)) {
      if (one.atMs <= this.ms) one.wake();
      else this.wakes.push(one);
    }
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
}

class Processes {
  readonly machines: Machine[] = [];
  readonly leases: Lease[] = [];
  readonly endings: AbortController[] = [];
  /** Those that may not hold it. */
  readonly unwanted = new Set<number>();

  constructor(store: LeaseStore, count: number) {
    for (let index = 0; index < count; index++) {
      const machine = new Machine(index * 1_000_000);
      const ending = new AbortController();
      const isWanted = () => !this.unwanted.has(index);
      const lease = new Lease({ store, key: 'work', clock: machine, isWanted });
      void lease.run(ending.signal);
      this.machines.push(machine);
      this.leases.push(lease);
      this.endings.push(ending);
    }
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      for (const machine of this.machines) await machine.pass(100);
      expect(this.leases.filter(({ isHeld }) => isHeld).length).toBeLessThanOrEqual(1);
    }
  }

  get holders(): readonly number[] {
    return this.leases.flatMap(({ isHeld }, index) => (isHeld ? [index] : []));
  }
}

describe('a lease', () => {
  it('is held by one process at a time, and goes on to another when its holder is silent', async () => {
    const processes = new Processes(new MemoryLeases(), 3);
    await processes.pass(2_000);
    expect(processes.holders).toHaveLength(1);
    const [first = 0] = processes.holders;
    const machine = processes.machines[first];
    if (machine === undefined) throw new Error('nobody holds it');
    machine.isStopped = true;
    await processes.pass(5_000);
    expect(processes.holders).toHaveLength(1);
    expect(processes.holders).not.toContain(first);
  });

  it('is refused to a holder that was stopped and wakes, by its own clock and by the servers', async () => {
    const processes = new Processes(new MemoryLeases(), 2);
    await processes.pass(2_000);
    const [first = 0] = processes.holders;
    const [machine, lease] = [processes.machines[first], processes.leases[first]];
    if (machine === undefined || lease === undefined) throw new Error('nobody holds it');
    const epoch = lease.epoch ?? 0;
    machine.isStopped = true;
    await processes.pass(6_000);
    expect(lease.isHeld).toBe(false);
    expect(await lease.confirm()).toBe(false);
    machine.isStopped = false;
    await processes.pass(2_000);
    expect(lease.isHeld).toBe(false);
    expect(processes.leases[1 - first]?.epoch).toBeGreaterThan(epoch);
  });

  it('is given back by a holder that may not hold it any more, and taken again once it may', async () => {
    const processes = new Processes(new MemoryLeases(), 2);
    await processes.pass(2_000);
    const [first = 0] = processes.holders;
    processes.unwanted.add(first);
    expect(await processes.leases[first]?.confirm()).toBe(false);
    await processes.pass(2_000);
    expect(processes.holders).toEqual([1 - first]);
    processes.unwanted.delete(first);
    processes.unwanted.add(1 - first);
    await processes.pass(2_000);
    expect(processes.holders).toEqual([first]);
  });

  it('is not confirmed when another process took it, although the own clock says it is held', async () => {
    const store = new MemoryLeases();
    const processes = new Processes(store, 1);
    await processes.pass(1_000);
    const [lease] = processes.leases;
    expect(await lease?.confirm()).toBe(true);
    const entry = await store.read('work');
    await store.write('work', 'another', entry?.revision ?? 0);
    expect(lease?.isHeld).toBe(true);
    expect(await lease?.confirm()).toBe(false);
    expect(lease?.isHeld).toBe(false);
  });

  it('goes on within 2.75 s after a kill, and stays through a standstill of 1.5 s, at any phase', async () => {
    for (let phaseMs = 0; phaseMs < 500; phaseMs += 100) {
      const processes = new Processes(new MemoryLeases(), 3);
      await processes.pass(4_000 + phaseMs);
      const [first = 0] = processes.holders;
      const machine = processes.machines[first];
      if (machine === undefined) throw new Error('nobody holds it');
      machine.isStopped = true;
      await processes.pass(1_400);
      machine.isStopped = false;
      await processes.pass(1_000);
      expect(processes.holders).toEqual([first]);
      machine.isStopped = true;
      // The clocks of this test tick every 100 ms: a wait is rounded up, one for each look.
      await processes.pass(2_750 + 100 + 100);
      expect(processes.holders).toHaveLength(1);
      expect(processes.holders).not.toContain(first);
    }
  });

  it('is given back at the end, so that another takes it at once', async () => {
    const processes = new Processes(new MemoryLeases(), 2);
    await processes.pass(2_000);
    const [first = 0] = processes.holders;
    processes.endings[first]?.abort();
    await processes.pass(1_500);
    expect(processes.holders).toEqual([1 - first]);
  });
});

describe.skipIf(!HAS_NATS)('leases in a bucket of NATS', () => {
  let servers: NatsServers;
  beforeAll(async () => {
    servers = await NatsServers.start(1);
  });
  afterAll(() => servers.close());

  it('are written only at the revision that was read', async () => {
    const { signal } = new AbortController();
    const access = { user: null, password: null, token: null, isEncrypted: false };
    const { addresses } = servers;
    const connection = await connectToNats({ ...access, addresses }, 'test', { signal });
    const leases = await NatsLeases.open(connection, 'test', 1);
    expect(await leases.read('work')).toBeNull();
    const first = await leases.write('work', 'one', 0);
    expect(first).toBeGreaterThan(0);
    expect(await leases.write('work', 'other', 0)).toBeNull();
    expect(await leases.read('work')).toEqual({ token: 'one', revision: first });
    const second = await leases.write('work', 'other', first ?? 0);
    expect(await leases.write('work', 'one', first ?? 0)).toBeNull();
    expect(await leases.read('work')).toEqual({ token: 'other', revision: second });
    await connection.close();
  });
});
