import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../../../tests/support/nats.ts';
import { judgeNats } from './judge-nats.ts';
import { type NatsFacts, readNatsFacts } from './nats-facts.ts';

warnWithoutNats();

const GOOD: NatsFacts = {
  kind: 'reached',
  version: '2.11.8',
  maxPayloadBytes: 8 * 2 ** 20,
  isClustered: true,
  stream: { replicas: 3, current: 3, isOnDisk: true, maxAgeMs: 7 * 24 * 3_600_000 },
  control: { replicas: 3, current: 3, isOnDisk: true, maxAgeMs: 0 },
  offchain: { replicas: 3, current: 3, isOnDisk: true, maxAgeMs: 7 * 86_400_000 },
  streamFault: null,
};
const PRODUCTION = { natsOldServers: 'refuse', natsStream: 'mintscope' } as const;
const STREAM = GOOD.kind === 'reached' && GOOD.stream !== null ? GOOD.stream : null;

/** The status of each check by name. */
function statuses(facts: NatsFacts, config: Parameters<typeof judgeNats>[1] = PRODUCTION) {
  return Object.fromEntries(judgeNats(facts, config).map(({ check, status }) => [check, status]));
}

const changed = (rest: Partial<Extract<NatsFacts, { kind: 'reached' }>>) =>
  ({ ...GOOD, ...rest }) as NatsFacts;
const stream = (rest: Partial<NonNullable<typeof STREAM>>) =>
  changed({ stream: STREAM === null ? null : { ...STREAM, ...rest } });

describe('doctor about NATS', () => {
  it('accepts three servers of a safe version, and names the setting it cannot see', () => {
    const findings = judgeNats(GOOD, PRODUCTION);
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['version', 'ok'],
      ['max_payload', 'ok'],
      ['copies', 'ok'],
      ['storage', 'warn'],
      ['retention', 'ok'],
      ['control', 'ok'],
      ['off-chain', 'ok'],
    ]);
    expect(findings[3]?.advice).toMatch(/sync_interval: always/);
  });

  it.each([
    ['2.9.10', 'fail'],
    ['2.10.22', 'fail'],
    ['2.10.23', 'ok'],
    ['2.10.24-RC.1', 'ok'],
    ['2.11.0', 'ok'],
    ['3.0.0', 'ok'],
    ['unknown', 'fail'],
  ])('judges the version %s as %s', (version, status) => {
    expect(statuses(changed({ version })).version).toBe(status);
  });

  it('only warns of an old version where a trial is declared', () => {
    const trial = { ...PRODUCTION, natsOldServers: 'allow' } as const;
    expect(statuses(changed({ version: '2.9.10' }), trial).version).toBe('warn');
  });

  it('refuses what can lose the stream', () => {
    expect(statuses(stream({ replicas: 1 })).copies).toBe('fail');
    expect(statuses(stream({ isOnDisk: false })).storage).toBe('fail');
    expect(statuses(stream({ current: 2 })).copies).toBe('warn');
    expect(statuses(changed({ isClustered: false })).copies).toBe('warn');
    expect(statuses(stream({ maxAgeMs: 3_600_000 })).retention).toBe('warn');
    expect(statuses(changed({ maxPayloadBytes: 2 ** 20 })).max_payload).toBe('warn');
    const control = { replicas: 3, current: 3, isOnDisk: true, maxAgeMs: 0 };
    const ofControl = (rest: Partial<typeof control>) =>
      statuses(changed({ control: { ...control, ...rest } })).control;
    expect(ofControl({ maxAgeMs: 3_600_000 })).toBe('fail');
    expect(ofControl({ isOnDisk: false })).toBe('fail');
    expect(ofControl({ replicas: 1, current: 1 })).toBe('fail');
    expect(ofControl({ current: 2 })).toBe('warn');
    expect(statuses(changed({ control: null })).control).toBe('ok');
    expect(statuses(changed({ stream: null, streamFault: 'no leader' })).stream).toBe('fail');
  });

  it('warn of off-chain data with fewer copies than the steps', () => {
    const offchain = { replicas: 3, current: 3, isOnDisk: true, maxAgeMs: 7 * 86_400_000 };
    const ofOffchain = (rest: Partial<typeof offchain>) =>
      statuses(changed({ offchain: { ...offchain, ...rest } }))['off-chain'];
    expect(ofOffchain({ replicas: 1, current: 1 })).toBe('warn');
    expect(ofOffchain({ isOnDisk: false })).toBe('warn');
    expect(ofOffchain({ current: 2 })).toBe('warn');
    expect(statuses(changed({ offchain: null }))['off-chain']).toBe('ok');
  });
});

describe.skipIf(!HAS_NATS)('doctor asking NATS', () => {
  let servers: NatsServers;
  beforeAll(async () => {
    servers = await NatsServers.start(1);
  });
  afterAll(() => servers.close());
  const access = { user: null, password: null, token: null, isEncrypted: false };

  it('learns version and limits of a server that answers', async () => {
    const { addresses } = servers;
    const facts = await readNatsFacts({ ...access, addresses }, 'none', 5_000);
    expect(facts).toMatchObject({ kind: 'reached', isClustered: false, stream: null });
    expect(facts.kind === 'reached' ? facts.version : '').toMatch(/^\d+\.\d+\.\d+/);
  });

  it('says that none answers', async () => {
    const facts = await readNatsFacts({ ...access, addresses: ['127.0.0.1:1'] }, 'none', 500);
    expect(judgeNats(facts, PRODUCTION)).toMatchObject([{ status: 'fail', check: 'reachable' }]);
  });
});
