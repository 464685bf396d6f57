import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NatsConnection } from '@nats-io/transport-node';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JetStreamStepLog } from '../../src/cluster/jetstream-step-log.ts';
import { LogTail } from '../../src/cluster/log-tail.ts';
import { connectToNats } from '../../src/cluster/nats-connection.ts';
import { type ClusterStep, encodeHead } from '../../src/cluster/step-head.ts';
import type { StepLog } from '../../src/cluster/step-log.ts';
import { bodyOf, headOf } from '../../src/cluster/step-message.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import { asSlot } from '../../src/model/units.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { openOffchainPlane } from '../../src/store/offchain/offchain-plane.ts';
import { SocialStore } from '../../src/store/offchain/social-store.ts';
import { StreamPosition } from '../../src/store/offchain/stream-position.ts';
import { openKeys } from '../../src/store/open-keys.ts';
import {
  metadataSet,
  mintCreated,
  poolCreated,
  slotFacts,
  swapEvent,
  transactionFacts,
} from '../support/build-facts.ts';
import { buildAuthor, buildPost, buildTracked } from '../support/build-post.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../support/nats.ts';
import { listenHttp, type TestServer } from '../support/stranger-listeners.ts';
import { CLUSTER_TEST_MS, PATIENCE_MS, STREAM } from './cluster-processes.ts';
import { pause, STORM_KEY, StormService } from './storm-service.ts';

warnWithoutNats();

const TOKEN = address('token-t');
const COPY = address('copycat');
const POOL = address('pool-t');
const BUYER = address('buyer');
const FIRST_SLOT = 100;
const HOUR_MS = 3_600_000;
const POSTS = 3;
const FOLLOWERS = 500;
const POLL_MS = 200;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`never came: ${what}`);
    await pause(POLL_MS);
  }
}

/** A token that is traded, and one with the same picture. */
function blocks(web: string, nowMs: number): readonly ClusterStep[] {
  const launched = (mint: Address, txIndex: number, file: string) => {
    const uri = `${web}/${file}.json`;
    const events = [mintCreated(mint), metadataSet({ mint, name: 'Cat', symbol: 'CAT', uri })];
    return transactionFacts({ txIndex, events });
  };
  const draft = { trader: BUYER, side: 'buy', baseRaw: 5_000_000n, quoteRaw: 2_000_000n } as const;
  const contents = [
    [launched(TOKEN, 0, 'cat'), launched(COPY, 1, 'copy')],
    [transactionFacts({ txIndex: 0, events: [poolCreated(9_000_000_000n, 90_000_000_000n)] })],
    [transactionFacts({ txIndex: 0, signers: [BUYER], events: [swapEvent(draft)] })],
  ];
  return contents.map((transactions, index) => blockAt(FIRST_SLOT + index, nowMs, transactions));
}

function blockAt(
  slot: number,
  nowMs: number,
  transactions: readonly TransactionFacts[] = [],
): ClusterStep {
  const linked = { blockhash: `hash-${slot}`, previousBlockhash: `hash-${slot - 1}` };
  const facts = slotFacts(slot, nowMs - HOUR_MS + (slot - FIRST_SLOT) * 400, [...transactions]);
  return { kind: 'facts', facts: { ...facts, ...linked, parentSlot: asSlot(slot - 1) } };
}

/** The stream of steps with one writer. */
class Chain {
  lastSlot = FIRST_SLOT - 1;
  private readonly tail = new LogTail();
  private readonly log: StepLog;

  constructor(log: StepLog) {
    this.log = log;
  }

  /** Appends a block, which is final at once. */
  async grow(block: ClusterStep): Promise<void> {
    const slot = asSlot(++this.lastSlot);
    for (const step of [block, { kind: 'final', slot } as const]) {
      const head = this.tail.headOf(headOf(step), 'test');
      const message = { head: encodeHead(head), body: bodyOf(step) };
      const { lastSeq: seq } = this.tail;
      const appended = await this.log.append(message, { seq, id: String(seq) });
      if (appended.kind !== 'appended') throw new Error('another one has appended');
      this.tail.pass(appended.seq, head);
    }
  }
}

/** A post as a line of an import. */
function line(at: number, nowMs: number): string {
  const createdAtMs = nowMs - 400 * 24 * HOUR_MS;
  return JSON.stringify(
    buildPost({
      ...{ platform: 'x', postId: `${at}`, createdAtMs: nowMs - 60_000 },
      author: buildAuthor({ id: `${at}`, followers: FOLLOWERS, createdAtMs }),
      text: `this number ${at * 7_919} is bullish and good: ${TOKEN}`,
    }),
  );
}

/** Data folders with one beginning: posts of a token are collected. */
function foldersThatTrack(nowMs: number): readonly string[] {
  const folders = [temporaryFolder(), temporaryFolder()];
  for (const folder of folders) openKeys(folder).close();
  const [first = '', second = ''] = folders.map((folder) => dataFolderAt(folder).offchainFile);
  const database = openOffchainPlane(first);
  const tracked = { mint: TOKEN, trackingSinceMs: nowMs - HOUR_MS, symbol: null };
  new SocialStore(database).track(buildTracked(tracked), nowMs - HOUR_MS);
  new StreamPosition(database).read();
  database.close();
  copyFileSync(first, second);
  return folders;
}

interface WireGathering {
  readonly gatherer: string | null;
  readonly epoch: number | null;
  readonly is_gathering: boolean;
  readonly stored_seq: number;
  readonly messages_behind: number | null;
}

interface WireToken {
  readonly image_hash?: { readonly phash_64: string | null };
  readonly social_links?: readonly { readonly status_code: number | null }[];
  readonly picture_url?: string | null;
}

interface Roles {
  readonly title: string;
  /** Settings of each replica. */
  readonly environments: readonly Readonly<Record<string, string>>[];
  readonly gatherer: RegExp;
}

const ROLES: readonly Roles[] = [
  { title: 'either may gather', environments: [{}, {}], gatherer: /^fold-[01]$/ },
  {
    title: 'one has the role gather, and the other only stores',
    environments: [{ MINTSCOPE_OFFCHAIN: 'follow' }, { MINTSCOPE_ROLE: 'gather' }],
    gatherer: /^fold-1$/,
  },
];

describe.skipIf(!HAS_NATS).each(ROLES)('two replicas, where $title', (roles) => {
  const nowMs = Date.now();
  let nats: NatsServers;
  let connection: NatsConnection;
  let web: TestServer;
  let chain: Chain;
  let replicas: readonly StormService[] = [];

  beforeAll(async () => {
    const pixels = Buffer.from(Array.from({ length: 64 * 64 }, (_, at) => (at * (at >> 6)) % 256));
    const raw = { width: 64, height: 64, channels: 1 } as const;
    const picture = await sharp(pixels, { raw }).png().toBuffer();
    web = await listenHttp((request, response) => {
      const at = `http://127.0.0.1:${web.port}`;
      if (request.url === '/picture.png') response.end(picture);
      else if (request.url === '/site') response.writeHead(204).end();
      else {
        const document = { name: 'Cat', image: `${at}/picture.png`, website: `${at}/site` };
        response.end(JSON.stringify(document));
      }
    });
    nats = await NatsServers.start(1);
    const access = { user: null, password: null, token: null, isEncrypted: false };
    const { signal } = new AbortController();
    connection = await connectToNats({ ...access, addresses: nats.addresses }, 'test', { signal });
    const stream = { name: STREAM, replicas: 1, maxAgeMs: HOUR_MS };
    const log = await JetStreamStepLog.open(connection, stream);
    chain = new Chain(log);
    for (const block of blocks(`http://127.0.0.1:${web.port}`, nowMs)) await chain.grow(block);
    const preload = new URL('../support/local-web.ts', import.meta.url);
    replicas = foldersThatTrack(nowMs).map(
      (dataDir, index) =>
        new StormService({
          ...{ dataDir, rpcUrl: 'http://127.0.0.1:1', paths: ['/livez'] },
          environment: {
            MINTSCOPE_ROLE: 'fold',
            MINTSCOPE_REPLICA_NAME: `fold-${index}`,
            MINTSCOPE_NATS_URL: nats.url,
            MINTSCOPE_NATS_STREAM: STREAM,
            MINTSCOPE_NATS_REPLICAS: '1',
            MINTSCOPE_NATS_OLD_SERVERS: 'allow',
            NODE_OPTIONS: `--import=${fileURLToPath(preload)}`,
            LOCAL_WEB: `127.0.0.1:${web.port}`,
            ...roles.environments[index],
          },
        }),
    );
    const isFinal = ({ finalSlot }: { readonly finalSlot: number | null }) =>
      finalSlot === chain.lastSlot;
    await Promise.all(replicas.map((replica) => replica.until(isFinal, PATIENCE_MS)));
  }, CLUSTER_TEST_MS);

  afterAll(async () => {
    for (const { process } of replicas) process.process.kill('SIGKILL');
    await connection?.close();
    await nats?.close();
    await web?.close();
  });

  const jsonOf = async <Body>(replica: StormService | undefined, path: string): Promise<Body> =>
    JSON.parse((await replica?.get(path))?.text ?? 'null') as Body;

  /** What a client gets, but what names the request and the replica. */
  const answerOf = async ({ origin }: StormService, path: string) => {
    const answer = await fetch(origin + path, { headers: { 'x-api-key': STORM_KEY } });
    const body = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    const names = ['content-type', 'etag', 'x-slot'];
    return { status: answer.status, headers: names.map((one) => answer.headers.get(one)), body };
  };

  const gatherings = async () => {
    const bodies = await Promise.all(
      replicas.map((one) => jsonOf<{ gathering: WireGathering | null }>(one, '/v1/coverage')),
    );
    return bodies.map(({ gathering }) => gathering);
  };

  it(
    'name the same one of them, and answer alike byte for byte once they stored the same',
    async () => {
      const [one, other] = replicas;
      // Whichever gathers counts what clients sent to each.
      for (const [at, replica] of [one, other, other].entries()) {
        await until(`post ${at} is taken`, async () => {
          const answer = await fetch(`${replica?.origin}/v1/socials/posts/import`, {
            method: 'POST',
            headers: { 'x-api-key': STORM_KEY, 'content-type': 'application/x-ndjson' },
            body: `${line(at, nowMs)}\n`,
          });
          await answer.arrayBuffer();
          return answer.status === 202;
        });
      }
      const summary = `/v1/socials/summary?token_address=${TOKEN}`;
      for (const replica of replicas) {
        await until('all posts', async () => {
          const body = await jsonOf<{ total_number_of_posts?: number }>(replica, summary);
          return body.total_number_of_posts === POSTS;
        });
        for (const mint of [TOKEN, COPY]) {
          await until('picture and link', async () => {
            // Tokens are read once later blocks came.
            await chain.grow(blockAt(chain.lastSlot + 1, nowMs));
            const token = await jsonOf<WireToken>(replica, `/v1/token/${mint}`);
            const [link] = token.social_links ?? [];
            return token.image_hash?.phash_64 != null && link?.status_code === 204;
          });
        }
      }
      await until('both have stored the same', async () => {
        const [first, second] = await gatherings();
        const isAtEnd = replicas.every(({ figures }) => figures.finalSlot === chain.lastSlot);
        const areEqual = isAtEnd && first?.stored_seq === second?.stored_seq;
        return areEqual && first?.messages_behind === 0 && second?.messages_behind === 0;
      });
      const [first, second] = await gatherings();
      expect(first?.gatherer).toMatch(roles.gatherer);
      expect(second?.gatherer).toBe(first?.gatherer);
      expect(second?.epoch).toBe(first?.epoch);
      expect([first, second].filter((each) => each?.is_gathering === true).length).toBeLessThan(2);

      const { picture_url: picture } = await jsonOf<WireToken>(one, `/v1/token/${TOKEN}`);
      const [from, to] = [nowMs - HOUR_MS, nowMs].map((ms) => new Date(ms).toISOString());
      const range = `token_address=${TOKEN}&from_date=${from}&to_date=${to}`;
      const page = 'page_number=1&page_size=10&ordering=created_at:desc';
      const paths = [
        `/v1/token/${TOKEN}`,
        `/v1/token/${COPY}`,
        `/v1/token/${TOKEN}/clones`,
        `${picture}&size=64`,
        '/v1/tokens',
        summary,
        `/v1/socials/posts?token_address=${TOKEN}&${page}`,
        `/v1/socials/sentiment-over-time?${range}`,
        `/v1/socials/reach-over-time?${range}`,
        `/v1/socials/posts-over-time?${range}&explain=true`,
        `/v1/indicators/current?pair_address=${POOL}`,
        `/v1/wallets/${BUYER}`,
        `/v1/wallets/${BUYER}/positions`,
      ];
      if (one === undefined || other === undefined) throw new Error('a replica is missing');
      for (const path of paths) {
        const [expected, answered] = [await answerOf(one, path), await answerOf(other, path)];
        expect([path, expected.status]).toEqual([path, 200]);
        expect({ path, ...answered }).toEqual({ path, ...expected });
      }
      const pool = await jsonOf<{ social_blast_radius_score: number }>(
        other,
        `/v1/indicators/current?pair_address=${POOL}`,
      );
      expect(pool.social_blast_radius_score).toBe(POSTS * FOLLOWERS);
    },
    CLUSTER_TEST_MS,
  );
});
