import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ledger } from '../simulator/chain/ledger.ts';
import { AccountHistory } from '../simulator/faces/node/account-history.ts';
import { answerCall } from '../simulator/faces/node/answer-call.ts';
import { BlockAnswers } from '../simulator/faces/node/block-answers.ts';
import { BlockWindow, type ChainView } from '../simulator/faces/node/block-window.ts';
import { Faults } from '../simulator/faces/node/faults.ts';
import { readBody, reply } from '../simulator/faces/node/http-face.ts';
import type { NodeState } from '../simulator/faces/node/node-state.ts';
import { parseRpcBody, type RpcCall } from '../simulator/faces/node/rpc-message.ts';
import { SocketFace } from '../simulator/faces/node/socket-face.ts';
import { readTapeBlock, type Tape, type TapeAccount, type TapeBlock } from './live-tape.ts';

/** All slots of a tape stay available: a service may have been down for all of it. */
const WINDOW_SLOTS = 1_000_000;
const CONFIRMED_LAG_SLOTS = 1;
const FINALIZED_LAG_SLOTS = 31;
const BODY_BYTES_MAX = 50 * 1_024;
const GENESIS_HASH = 'SimuLatedMarketNotTheReaLChainxxxxxxxxxxxxx1';
/** Blocks in memory: those that are about to be requested. */
const READ_AHEAD = 4;

const SOCKET_LIMITS = {
  bufferBytes: 16 * 2 ** 20,
  subscriptions: 100,
  clients: 100,
  messageBytes: 64 * 1_024,
  pingIntervalMs: 10_000,
};

export interface TapeNodeEvents {
  /** Called when a block was requested and its answer was passed to the system. */
  readonly onServed: (slot: number, askedAtMs: number, sentAtMs: number) => void;
}

/**
 * A node that plays a tape: it answers like the simulated node, but blocks are read from the disk,
 * so that playing costs much less than generating them.
 */
export class TapeNode {
  private readonly tape: Tape;
  private readonly events: TapeNodeEvents;
  private readonly shiftSeconds: number;
  private readonly state: NodeState;
  private readonly sockets: SocketFace;
  private readonly server: Server;
  private readonly accounts = new Map<
    string,
    { readonly slot: number; readonly value: object }[]
  >();
  private readonly bySlot = new Map<number, TapeBlock>();
  private readonly texts = new Map<number, Promise<Buffer>>();
  private position = 0;
  private shown: ChainView;

  /** Shows the first block. Times are shifted so that this block's time is `startSeconds`. */
  constructor(tape: Tape, startSeconds: number, events: TapeNodeEvents) {
    const [first] = tape.blocks;
    if (first === undefined) throw new RangeError('the tape is empty');
    const faults = new Faults();
    this.tape = tape;
    this.events = events;
    this.shiftSeconds = startSeconds - first.blockTime;
    this.state = {
      window: new BlockWindow({
        windowSlots: WINDOW_SLOTS,
        confirmedLagSlots: CONFIRMED_LAG_SLOTS,
        finalizedLagSlots: FINALIZED_LAG_SLOTS,
      }),
      accounts: new AccountHistory(new Ledger()),
      dataAccounts: new Map(),
      answers: new BlockAnswers(faults),
      faults,
      genesisHash: GENESIS_HASH,
      hasLongTermStorage: false,
    };
    this.sockets = new SocketFace(this.state.answers, faults, SOCKET_LIMITS);
    this.server = createServer((request, response) => {
      void this.answer(request, response);
    });
    this.server.on('upgrade', (request, socket, head) =>
      this.sockets.upgrade(request, socket, head),
    );
    for (const account of tape.accounts) this.keep(account, 0);
    this.shown = this.show(first);
  }

  get blocksLeft(): number {
    return this.tape.blocks.length - this.position;
  }

  /** The newest block, and the newest confirmed one. */
  get tip(): { readonly slot: number; readonly confirmedSlot: number } {
    return {
      slot: this.shown.tip('processed').slot,
      confirmedSlot: this.shown.tip('confirmed').slot,
    };
  }

  /** Shows the next block and notifies subscribers; null at the end of what was made of the tape. */
  advance(): TapeBlock | null {
    const block = this.tape.blocks[this.position];
    if (block === undefined) return null;
    const before = this.shown;
    this.shown = this.show(block);
    this.sockets.publish(before, this.shown);
    return block;
  }

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.sockets.close();
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private show(block: TapeBlock): ChainView {
    this.position++;
    this.bySlot.set(block.slot, block);
    for (const account of block.accounts) this.keep(account, block.slot);
    this.state.window.accept({
      block: { ...block, transactions: [] },
      isCanonical: true,
    });
    this.readAhead(block);
    return this.state.window.view();
  }

  private keep({ address, value }: TapeAccount, slot: number): void {
    const versions = this.accounts.get(address) ?? [];
    versions.push({ slot, value });
    this.accounts.set(address, versions);
  }

  /** It will be requested one slot later, when it is confirmed. */
  private readAhead(block: TapeBlock): void {
    const text = readTapeBlock(this.tape, block, this.shiftSeconds);
    // The request for it reports the error.
    text.catch(() => undefined);
    this.texts.set(block.slot, text);
    for (const slot of this.texts.keys()) {
      if (this.texts.size <= READ_AHEAD) return;
      this.texts.delete(slot);
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const askedAtMs = nowMs();
    const read = await readBody(request, BODY_BYTES_MAX);
    if (read.kind !== 'text') return reply(response, 413, 'Payload too large\n');
    const body = parseRpcBody(read.text);
    if (body.kind === 'batch') return reply(response, 400, 'no batches here\n');
    const { call } = body;
    const block = 'refusal' in call ? null : this.blockAskedFor(call);
    if (block !== null && !('refusal' in call)) {
      await this.sendBlock(response, call, block);
      this.events.onServed(block.slot, askedAtMs, nowMs());
      return;
    }
    const accounts = 'refusal' in call ? null : this.accountsAskedFor(call);
    reply(response, 200, accounts ?? answerCall(this.state, call) ?? '', JSON_TYPE);
  }

  /** Null for another request, and for an unconfirmed block: the node's own rules answer. */
  private blockAskedFor({ method, params }: RpcCall): TapeBlock | null {
    const [slot] = params;
    if (method !== 'getBlock' || typeof slot !== 'number') return null;
    const step = this.shown.blockAt(slot, 'confirmed');
    return step === null ? null : (this.bySlot.get(slot) ?? null);
  }

  private async sendBlock(
    response: ServerResponse,
    { id, params }: RpcCall,
    block: TapeBlock,
  ): Promise<void> {
    if (!isWholeBlock(params[1])) return reply(response, 400, 'only whole blocks, in base64\n');
    const text = this.texts.get(block.slot) ?? readTapeBlock(this.tape, block, this.shiftSeconds);
    const result = await text;
    const start = Buffer.from('{"jsonrpc":"2.0","result":');
    const end = Buffer.from(`,"id":${JSON.stringify(id ?? null)}}`);
    const length = start.length + result.length + end.length;
    response.writeHead(200, { ...JSON_TYPE, 'content-length': length });
    response.write(start);
    response.write(result);
    response.end(end);
    await once(response, 'finish');
  }

  /** Mint and metadata accounts at the newest confirmed slot. */
  private accountsAskedFor({ id, method, params }: RpcCall): string | null {
    if (method !== 'getMultipleAccounts' || !Array.isArray(params[0])) return null;
    const slot = this.shown.tip('confirmed').slot;
    const value = params[0].map((address) => this.accountAt(String(address), slot));
    return JSON.stringify({ jsonrpc: '2.0', result: { context: { slot }, value }, id });
  }

  private accountAt(address: string, slot: number): object | null {
    const versions = this.accounts.get(address) ?? [];
    return versions.findLast((version) => version.slot <= slot)?.value ?? null;
  }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function isWholeBlock(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  const { encoding, transactionDetails, rewards } = options as Record<string, unknown>;
  return encoding === 'base64' && transactionDetails === 'full' && rewards === false;
}

/** Milliseconds of a monotonic clock that all processes of the machine share. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
