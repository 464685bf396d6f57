import { describe, expect, it } from 'vitest';
import { createMetricFamilies } from '../../api/http/metrics.ts';
import { StoreError } from '../../model/errors.ts';
import type { BackupRun, NewestBackup } from './backup-messages.ts';
import { BackupSchedule } from './backup-schedule.ts';

const HOUR_MS = 3_600_000;
const BEGIN_MS = Date.UTC(2026, 10, 28);

/** A place and its processes, whose time passes by the looks at it. */
class Place {
  newest: NewestBackup = null;
  ms = 0;
  wallOffsetMs = 0;
  readonly stored: { readonly name: string; readonly atMs: number }[] = [];
  readonly failures: string[] = [];
  /** Called instead of storing. */
  onStore: (() => Promise<void>) | null = null;
  holder = 'a';
  isStopped = false;

  schedule(name: string, everyMs = 6 * HOUR_MS): BackupSchedule {
    return new BackupSchedule({
      everyMs,
      newest: async () => this.newest,
      store: async () => {
        await this.onStore?.();
        const createdMs = this.wallMs();
        this.stored.push({ name, atMs: this.ms });
        this.newest = { key: `backups/${createdMs}.json`, createdMs };
        return RUN;
      },
      stop: async () => {
        this.isStopped = true;
      },
      mayStore: async () => this.holder === name,
      onStored: () => undefined,
      onFailed: (reason) => this.failures.push(reason),
      clock: { nowMs: () => this.ms, sleep: async () => undefined },
      wallMs: () => this.wallMs(),
    });
  }

  wallMs(): number {
    return BEGIN_MS + this.wallOffsetMs + this.ms;
  }
}

const RUN: BackupRun = {
  stored: { key: 'backups/1.json', files: 3, bytes: 500, slot: 9, filesTotal: 10 },
  pruned: { backups: 1, files: 2 },
  pruneProblem: null,
};

/** Looks once a minute for a time, by turns. */
async function pass(place: Place, schedules: readonly BackupSchedule[], ms: number) {
  for (const endMs = place.ms + ms; place.ms < endMs; place.ms += 60_000) {
    for (const schedule of schedules) {
      const ending = new AbortController();
      const looked = schedule.run(ending.signal);
      // A look ends within the turns of its promises.
      for (let turn = 0; turn < 30; turn++) await Promise.resolve();
      ending.abort();
      await looked;
    }
  }
}

const sampleOf = async (schedule: BackupSchedule, name: string) => {
  const metrics = createMetricFamilies();
  schedule.expose(metrics);
  const line = (await metrics.render()).split('\n').find((each) => each.startsWith(`${name}`));
  return Number(line?.split(' ').at(-1));
};

describe('backups at an interval', () => {
  it('are stored when the newest is too old, by the one who may, whoever stored it', async () => {
    const place = new Place();
    const schedules = [place.schedule('a'), place.schedule('b')];
    await pass(place, schedules, 12 * HOUR_MS + 60_000);
    expect(place.stored.map(({ name, atMs }) => [name, atMs / HOUR_MS])).toEqual([
      ['a', 0],
      ['a', 6],
      ['a', 12],
    ]);
    place.holder = 'b';
    await pass(place, schedules, 6 * HOUR_MS + 60_000);
    expect(place.stored.at(-1)?.name).toBe('b');
    expect(place.stored).toHaveLength(4);
    for (const schedule of schedules) expect(schedule.ageSeconds).toBeLessThan(6 * 3_600);
  });

  it('are tried again after ten minutes where they fail, and say so', async () => {
    const place = new Place();
    const schedule = place.schedule('a');
    place.onStore = () => Promise.reject(new StoreError('the bucket is gone'));
    await pass(place, [schedule], HOUR_MS);
    expect(new Set(place.failures)).toEqual(new Set(['the bucket is gone']));
    expect(place.failures).toHaveLength(6);
    expect(schedule.ageSeconds).toBe(3_600);
    expect(await sampleOf(schedule, 'mintscope_backup_failures_total')).toBe(6);
    place.onStore = null;
    await pass(place, [schedule], HOUR_MS);
    expect(place.stored).toHaveLength(1);
    expect(await sampleOf(schedule, 'mintscope_backup_sent_bytes_total')).toBe(500);
    expect(await sampleOf(schedule, 'mintscope_backup_pruned_total{kind="file"}')).toBe(2);
  });

  it('are stored where a wrong clock stored one of the future', async () => {
    const place = new Place();
    place.newest = { key: 'backups/1.json', createdMs: BEGIN_MS + 1_000 * HOUR_MS };
    const schedule = place.schedule('a');
    await pass(place, [schedule], 60_000);
    expect(place.stored).toHaveLength(1);
    expect(schedule.ageSeconds).toBeGreaterThanOrEqual(0);
  });

  it('are ended with the service', async () => {
    const place = new Place();
    const ending = new AbortController();
    place.onStore = async () => {
      ending.abort();
      throw new StoreError('it was ended');
    };
    await place.schedule('a').run(ending.signal);
    expect(place.isStopped).toBe(true);
    expect(place.failures).toEqual([]);
  });
});
