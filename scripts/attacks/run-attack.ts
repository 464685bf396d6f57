import { type ChildProcess, execFile, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beginStretch, endStretch, type LiveFigures } from '../../bench/live-figures.ts';
import type { LiveOptions } from '../../bench/live-options.ts';
import { LEAD_BLOCKS, LiveStage } from '../../bench/live-stage.ts';
import { TAPE_SLOT_MS } from '../../bench/live-tape.ts';
import type { Attack, AttackTarget } from './attack.ts';
import type { AttackOrder } from './attack-process.ts';
import { BystanderReads, type ReadFigures } from './bystander-reads.ts';

const SETTLE_MS = 60_000;
/** Time between the end of the attack and the measurement of its remains. */
const CALM_AFTER_MS = 15_000;
const SPARE_SECONDS = 15;
const COSTLY_READS_PER_SECOND = 8;
/** The burst of a key is this fraction of its requests per minute, as in the service's defaults. */
const BURST_SHARE = 6;
/** A client has this many times the keys that it needs: reads are not spread evenly. */
const KEYS_SPARE = 2;
/** A real attacker has its own processors; here it gets what the service leaves. */
const ATTACKER_NICENESS = 15;

/** One period, calm or attacked. */
export interface StretchFigures {
  readonly live: LiveFigures;
  /** Reads of the store by the bystander. */
  readonly costly: ReadFigures;
}

/** Resources of the service's process. */
export interface Holdings {
  readonly descriptors: number;
  readonly rssMib: number;
}

/** Duration of each period, and the attacker's resources. */
export interface AttackTerms {
  readonly calmSeconds: number;
  readonly attackedSeconds: number;
  readonly attackerKeys: number;
  /** The limit of each key. */
  readonly requestsPerMinute: number;
}

export interface AttackReport {
  readonly attack: string;
  readonly terms: AttackTerms;
  readonly loadBefore: number;
  readonly calm: StretchFigures;
  readonly attacked: StretchFigures;
  readonly before: Holdings;
  readonly during: Holdings;
  readonly after: Holdings;
  /** Answers to the attacker, by status. */
  readonly attacker: Readonly<Record<string, number>>;
}

export async function runAttack(
  attack: Attack,
  terms: AttackTerms,
  options: LiveOptions,
): Promise<AttackReport> {
  const [grpcPort, silentPort] = [await freePort(), await freePort()];
  const blocks = LEAD_BLOCKS + secondsNeeded(terms, options) * (1_000 / TAPE_SLOT_MS);
  const stage = await LiveStage.open({
    tapeFolder: options.tapeFolder,
    plan: { ...options.plan, blocks },
    profileDir: options.profileDir,
    service: {
      ...attack.service,
      settings: {
        ...options.settings,
        MINTSCOPE_GRPC_PORT: String(grpcPort),
        MINTSCOPE_RATE_LIMIT_PER_MINUTE: String(terms.requestsPerMinute),
        MINTSCOPE_RATE_LIMIT_BURST: String(Math.ceil(terms.requestsPerMinute / BURST_SHARE)),
        MINTSCOPE_WEBHOOK_PRIVATE_ORIGINS: `http://127.0.0.1:${silentPort}`,
        ...attack.service?.settings,
      },
    },
    onNote: (sentence) => console.error(sentence),
  });
  const attacker = new AttackerProcess(attack.name, silentPort);
  try {
    return await measure(attack, terms, options, { stage, attacker, grpcPort });
  } finally {
    attacker.kill();
    stage.close();
  }
}

interface Parts {
  readonly stage: LiveStage;
  readonly attacker: AttackerProcess;
  readonly grpcPort: number;
}

async function measure(
  attack: Attack,
  terms: AttackTerms,
  options: LiveOptions,
  { stage, attacker, grpcPort }: Parts,
): Promise<AttackReport> {
  const url = await stage.service.url();
  const readsPerMinute = (options.readsPerSecond + COSTLY_READS_PER_SECOND) * 60;
  const ownKeys = Math.ceil((KEYS_SPARE * readsPerMinute) / terms.requestsPerMinute);
  const readerKeys = await createKeys(stage.dataDir, 'reader', ownKeys);
  const keys = await createKeys(stage.dataDir, 'attacker', terms.attackerKeys);
  await stage.read(options.readsPerSecond, readerKeys);
  const reads = new BystanderReads();
  void reads.run(url, readerKeys, COSTLY_READS_PER_SECOND, () => stage.tradedPools());
  stage.node.order({ kind: 'play' });
  if (!(await stage.settle(SETTLE_MS))) {
    console.error('The service did not reach the head of the chain.');
  }
  await sleep(options.warmupSeconds * 1_000);
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const calm = await stretch(stage, reads, terms.calmSeconds);
  const before = holdingsOf(stage);
  const { hostname: host, port } = new URL(url);
  const pools = stage.tradedPools();
  attacker.begin({ host, port: Number(port), grpcPort, keys, pools });
  const attacked = await stretch(stage, reads, terms.attackedSeconds);
  const during = holdingsOf(stage);
  const statuses = await attacker.end();
  await sleep(CALM_AFTER_MS);
  const after = holdingsOf(stage);
  reads.stop();
  await stage.stopService();
  const { name } = attack;
  return {
    attack: name,
    terms,
    loadBefore,
    calm,
    attacked,
    before,
    during,
    after,
    attacker: statuses,
  };
}

function secondsNeeded(
  { calmSeconds, attackedSeconds }: AttackTerms,
  { warmupSeconds }: LiveOptions,
): number {
  const spare = (SETTLE_MS + CALM_AFTER_MS) / 1_000 + SPARE_SECONDS;
  return warmupSeconds + calmSeconds + attackedSeconds + spare;
}

async function stretch(
  stage: LiveStage,
  reads: BystanderReads,
  seconds: number,
): Promise<StretchFigures> {
  const beginning = await beginStretch(stage);
  reads.take();
  await sleep(seconds * 1_000);
  return { live: await endStretch(stage, beginning), costly: reads.take() };
}

function holdingsOf({ service: { pid } }: LiveStage): Holdings {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN);
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, rssMib: kib / 1_024 };
}

/** Keys of a separate account, created while the service runs. */
async function createKeys(
  dataDir: string,
  account: string,
  count: number,
): Promise<[string, ...string[]]> {
  const scopes = 'read,triggers:write';
  const args = ['src/main.ts', 'keys', 'create', '--data-dir', dataDir, '--account', account];
  const options = ['--disable-warning=ExperimentalWarning', ...args, '--scopes', scopes];
  const create = async () => (await promisify(execFile)(process.execPath, options)).stdout.trim();
  const keys: [string, ...string[]] = [await create()];
  while (keys.length < count) keys.push(await create());
  return keys;
}

class AttackerProcess {
  private readonly child: ChildProcess;

  constructor(name: string, silentPort: number) {
    const path = fileURLToPath(new URL('./attack-process.ts', import.meta.url));
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    this.child = fork(path, [name, String(silentPort)], { execArgv });
    if (this.child.pid !== undefined) setPriority(this.child.pid, ATTACKER_NICENESS);
  }

  begin(target: Omit<AttackTarget, 'silentPort'>): void {
    this.send({ kind: 'begin', target });
  }

  /** Ends the attack; resolves with its answers. */
  end(): Promise<Readonly<Record<string, number>>> {
    const tally = new Promise<Readonly<Record<string, number>>>((resolve, reject) => {
      this.child.once('message', (counts) => resolve(counts as Record<string, number>));
      this.child.once('exit', () => reject(new Error('the attacker ended without its tally')));
    });
    this.send({ kind: 'end' });
    return tally;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private send(order: AttackOrder): void {
    this.child.send(order);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
