import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleContent } from '../support/build-rule.ts';
import { runCommand } from '../support/command-line.ts';
import { type Answered, ControlCluster, type ReplicaProcess } from '../support/control-cluster.ts';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { listenHttp, type TestServer } from '../support/stranger-listeners.ts';
import { CLUSTER_TEST_MS } from './cluster-processes.ts';

warnWithoutNats();

const PATIENCE_MS = 240_000;

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadlineMs) throw new Error(`never: ${what}`);
    await delay(50);
  }
}

describe.skipIf(!HAS_NATS)('two replicas that share keys, triggers, webhooks and rules', () => {
  let cluster: ControlCluster;
  let receiver: TestServer;
  const received: { readonly id: string; readonly body: string }[] = [];

  beforeAll(async () => {
    receiver = await listenHttp((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        received.push({ id: String(request.headers['webhook-id']), body });
        response.writeHead(200).end();
      });
    });
    cluster = await ControlCluster.start('control', `http://127.0.0.1:${receiver.port}`);
    for (const index of [0, 1]) {
      await until(async () => (await replica(index).metric('final_slot')) > 0, 'a final slot');
    }
  }, CLUSTER_TEST_MS);

  afterAll(async () => {
    await cluster.close();
    await receiver.close();
  });

  const replica = (index: number): ReplicaProcess => {
    const one = cluster.replicas[index];
    if (one === undefined) throw new Error('there is no such replica');
    return one;
  };
  const ask = (index: number, ...request: Parameters<ReplicaProcess['ask']>): Promise<Answered> =>
    replica(index).ask(...request);

  /** A pool that was traded. */
  const poolOf = async (index: number): Promise<string> => {
    let pool: unknown;
    await until(async () => {
      pool = (await ask(index, 'GET', '/v1/pools?limit=1')).body.items[0].pair_address;
      return typeof pool === 'string';
    }, 'a pool');
    return String(pool);
  };

  it(
    'open to a key that a command made in the folder of one, until another revokes it',
    async () => {
      const [mine = '', other = ''] = cluster.folders;
      const made = await runCommand(['keys', 'create', '--data-dir', mine]);
      const key = /\S{30,}/.exec(made.stdout)?.[0] ?? '';
      const opens = async (index: number) =>
        (await ask(index, 'GET', '/v1/coverage', undefined, key)).status;
      await until(async () => (await opens(1)) === 200, 'the key opens the other replica');
      const listed = await runCommand(['keys', 'list', '--json', '--data-dir', other]);
      const ids = [...listed.stdout.matchAll(/"key_id":\s*"([^"]+)"/g)].map(([, id = '']) => id);
      const [keyId] = ids.filter((id) => key.includes(id));
      await runCommand(['keys', 'revoke', keyId ?? 'unknown', '--data-dir', other]);
      await until(async () => (await opens(0)) === 401, 'the key opens the first no more');
      expect(await opens(1)).toBe(401);
    },
    CLUSTER_TEST_MS,
  );

  it(
    'fire a trigger made on one with equal numbers, and deliver it once',
    async () => {
      const url = `http://127.0.0.1:${receiver.port}/hook`;
      const hook = await ask(0, 'POST', '/v1/webhooks', { url, event_types: ['trigger.fired'] });
      expect(hook.status).toBe(201);
      const pool = await poolOf(1);
      const conditions = [{ field: 'number_of_buys', operator: 'gt', value: '0' }];
      const trigger = { trigger_id: 'bought', pair_address: pool, conditions };
      expect((await ask(1, 'POST', '/v1/triggers/add', trigger)).status).toBe(201);
      expect((await ask(0, 'POST', '/v1/triggers/add', trigger)).status).toBeLessThan(300);
      const firings = async (index: number) =>
        (await ask(index, 'GET', '/v1/triggers/firings')).body.firings.map(
          ({ seq, slot, trigger_id }: Record<string, unknown>) => ({ seq, slot, trigger_id }),
        );
      await until(async () => (await firings(0)).length > 0, 'a firing on the one');
      await until(async () => (await firings(1)).length > 0, 'a firing on the other');
      expect(await firings(0)).toEqual(await firings(1));
      await until(async () => received.length > 0, 'a delivery');
      await delay(2_000);
      expect(received).toHaveLength(1);
      for (const index of [0, 1]) {
        expect((await ask(index, 'GET', '/v1/webhooks')).body.webhooks).toHaveLength(1);
      }
    },
    CLUSTER_TEST_MS,
  );

  it(
    'judge a rule of one from the same slot, across a kill of the writing ingester',
    async () => {
      const rule = { rule: ruleContent() };
      const published = await ask(0, 'POST', '/v1/rules', rule);
      expect(published.status).toBe(201);
      await cluster.killWriter();
      const isJudged = async (index: number) =>
        (await ask(index, 'GET', '/v1/rules')).body.rules.some(
          (one: { is_judged: boolean }) => one.is_judged,
        );
      await until(() => isJudged(0), 'the one judges the rule');
      await until(() => isJudged(1), 'the other judges the rule');
      const hits = async (index: number) => {
        const { body } = await ask(index, 'GET', '/v1/rules/any-trade/hits?limit=100');
        return body.hits;
      };
      await until(async () => (await hits(0)).length > 0, 'a hit on the one');
      await until(async () => {
        const [mine, other] = [await hits(0), await hits(1)];
        return mine.length > 0 && JSON.stringify(mine) === JSON.stringify(other);
      }, 'equal hits');
      for (const index of [0, 1]) {
        const { body } = await ask(index, 'GET', '/v1/coverage');
        expect(body.replicas.state).toBe('agreed');
      }
    },
    CLUSTER_TEST_MS,
  );

  it(
    'keep a change through the kill of the replica that made it, once',
    async () => {
      const conditions = [{ field: 'number_of_buys', operator: 'gt', value: '999999' }];
      const trigger = { trigger_id: 'kept', pair_address: await poolOf(1), conditions };
      const known = await replica(1).metric('control_received_seq');
      const asked = ask(0, 'POST', '/v1/triggers/add', trigger).catch(() => null);
      await until(
        async () => (await replica(1).metric('control_received_seq')) > known,
        'the change is published',
      );
      await cluster.kill(replica(0).command);
      await asked;
      await cluster.startReplica(0).listens();
      const kept = async (index: number) =>
        (await ask(index, 'GET', '/v1/triggers')).body.triggers.filter(
          ({ trigger_id }: { trigger_id: string }) => trigger_id === 'kept',
        ).length;
      await until(async () => (await kept(0)) === 1 && (await kept(1)) === 1, 'both have it once');
    },
    CLUSTER_TEST_MS,
  );

  it(
    'answer 503 to writes while no NATS server runs, go on reading, and write later',
    async () => {
      const [name = ''] = cluster.nats.names;
      const conditions = [{ field: 'number_of_buys', operator: 'gt', value: '999999' }];
      const trigger = { trigger_id: 'later', pair_address: await poolOf(1), conditions };
      await cluster.nats.kill(name);
      const refused = await ask(0, 'POST', '/v1/triggers/add', trigger);
      expect(refused.status).toBe(503);
      expect(JSON.stringify(refused.body)).toContain('do not answer');
      expect((await ask(0, 'GET', '/v1/triggers')).status).toBe(200);
      cluster.nats.restart(name);
      await cluster.nats.ready();
      await until(
        async () => (await ask(0, 'POST', '/v1/triggers/add', trigger)).status < 300,
        'the write is made',
      );
      await until(
        async () =>
          (await ask(1, 'GET', '/v1/triggers')).body.triggers.some(
            ({ trigger_id }: { trigger_id: string }) => trigger_id === 'later',
          ),
        'the other has it',
      );
    },
    CLUSTER_TEST_MS,
  );
});
