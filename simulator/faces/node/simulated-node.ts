import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type Clock, monotonicClock } from '../../../src/lib/clock.ts';
import type { Address } from '../../../src/model/units.ts';
import type { Ledger } from '../../chain/ledger.ts';
import type { ChainStep } from '../../market/world.ts';
import { AccountHistory } from './account-history.ts';
import { BlockAnswers } from './block-answers.ts';
import { BlockWindow, type ChainView } from './block-window.ts';
import { answerControl, isControl } from './control-face.ts';
import { Faults } from './faults.ts';
import type { DataAccount } from './format-account.ts';
import { HttpFace, reply } from './http-face.ts';
import type { NodeState } from './node-state.ts';
import { SocketFace } from './socket-face.ts';

/** The part of a running simulation that a node needs. */
export interface ServedSimulation {
  readonly world: {
    readonly nowMs: number;
    readonly chain: { readonly ledger: Ledger };
  };
  /** Advances one slot; null if it has no block. */
  step(): ChainStep | null;
}

export interface NodeOptions {
  readonly simulation: ServedSimulation;
  readonly genesisHash: string;
  readonly faults?: Faults;
  readonly clock?: Clock;
  readonly windowSlots?: number;
  readonly confirmedLagSlots?: number;
  readonly finalizedLagSlots?: number;
  readonly hasLongTermStorage?: boolean;
  readonly limits?: Partial<NodeLimits>;
  /** Accounts in addition to those of the chain. */
  readonly dataAccounts?: ReadonlyMap<Address, DataAccount>;
}

export interface NodeLimits {
  readonly bodyBytes: number;
  readonly batchAnswerChars: number;
  readonly bufferBytes: number;
  readonly subscriptions: number;
  readonly clients: number;
  readonly messageBytes: number;
  readonly pingIntervalMs: number;
}

const LIMITS: NodeLimits = {
  bodyBytes: 50 * 1024,
  batchAnswerChars: 64 * 1024 * 1024,
  bufferBytes: 16 * 1024 * 1024,
  subscriptions: 100,
  clients: 100,
  messageBytes: 64 * 1024,
  pingIntervalMs: 10_000,
};

/** Maximum number of slots without a block before the first one. */
const SILENT_SLOTS_MAX = 10_000;

/**
 * A simulated chain behind the interfaces of a node: JSON-RPC over HTTP, subscriptions over
 * WebSocket on the same port, and an endpoint that switches on the faults of real nodes. It holds
 * the last slots of every branch and drops older ones.
 */
export class SimulatedNode {
  readonly faults: Faults;
  private readonly simulation: ServedSimulation;
  private readonly state: NodeState;
  private readonly sockets: SocketFace;
  private readonly http: HttpFace;
  private readonly server: Server;
  private shown: ChainView;

  /** Advances slots until there is a block. */
  constructor(options: NodeOptions) {
    const { simulation, clock = monotonicClock } = options;
    const limits = { ...LIMITS, ...options.limits };
    this.simulation = simulation;
    this.faults = options.faults ?? new Faults();
    const answers = new BlockAnswers(this.faults);
    const { ledger } = simulation.world.chain;
    this.state = {
      window: new BlockWindow({
        windowSlots: options.windowSlots ?? 300,
        confirmedLagSlots: options.confirmedLagSlots ?? 1,
        finalizedLagSlots: options.finalizedLagSlots ?? 31,
      }),
      accounts: new AccountHistory(ledger),
      dataAccounts: options.dataAccounts ?? new Map(),
      answers,
      faults: this.faults,
      genesisHash: options.genesisHash,
      hasLongTermStorage: options.hasLongTermStorage ?? false,
    };
    this.sockets = new SocketFace(answers, this.faults, limits);
    this.http = new HttpFace(this.state, limits, clock);
    this.server = createServer((request, response) => {
      void this.answer(request, response);
    });
    this.server.on('upgrade', (request, socket, head) =>
      this.sockets.upgrade(request, socket, head),
    );
    this.shown = this.firstView();
  }

  /** The chain's own time, in milliseconds since 1970. */
  get chainTimeMs(): number {
    return this.simulation.world.nowMs;
  }

  get pendingBlocks(): number {
    return this.state.window.size;
  }

  get socketClients(): number {
    return this.sockets.clients;
  }

  /** Advances one slot and notifies subscribers. */
  advance(): void {
    const step = this.simulation.step();
    if (step === null) return;
    this.take(step);
    const view = this.currentView();
    this.sockets.publish(this.shown, view);
    this.shown = view;
  }

  /** Listens and returns the port. Port 0 selects a free one. Rejects with the system's error. */
  async listen(port: number, host = '127.0.0.1'): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.sockets.close();
    const closed = this.server.listening ? once(this.server, 'close') : null;
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private firstView(): ChainView {
    for (let slots = 0; slots < SILENT_SLOTS_MAX; slots++) {
      const step = this.simulation.step();
      if (step === null) continue;
      this.take(step);
      return this.currentView();
    }
    throw new RangeError(`the simulation produced no block in ${SILENT_SLOTS_MAX} slots`);
  }

  private take(step: ChainStep): void {
    const { window, accounts } = this.state;
    window.accept(step);
    accounts.observe(
      step,
      window.view().tip('finalized').slot - this.faults.settings.headBackSlots,
    );
  }

  private currentView(): ChainView {
    return this.state.window.view(0, this.faults.settings.confirmsDropped);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isControl(request)) {
      const control = { faults: this.faults, advance: (slots: number) => this.advanceBy(slots) };
      return answerControl(control, request, response);
    }
    const { method, url } = request;
    if (method === 'GET' && url === '/health') return reply(response, 200, 'ok');
    if (method === 'POST') return this.http.answer(request, response);
    reply(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required\n');
  }

  private async advanceBy(slots: number): Promise<void> {
    for (let passed = 0; passed < slots; passed++) {
      this.advance();
      await setImmediate();
    }
  }
}
