import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { ProtobufWriter } from '../../../src/lib/protobuf-writer.ts';
import type { ChainStep } from '../../market/world.ts';
import { BlockWindow, type ChainView, type WindowOptions } from './block-window.ts';
import { withChangedPrograms } from './changed-programs.ts';
import { Faults } from './faults.ts';
import type { ServedSimulation } from './simulated-node.ts';
import {
  type StreamCall,
  type StreamLimits,
  YellowstoneSubscriber,
} from './yellowstone-subscriber.ts';

export interface YellowstoneOptions {
  readonly faults?: Faults;
  readonly window?: Partial<WindowOptions>;
  readonly limits?: Partial<StreamLimits>;
  /** Clients must send it as `x-token`. */
  readonly token?: string | null;
  /** The answer of `GetVersion`; null for a server without that call. */
  readonly version?: string | null;
  /** 0 for no pings. */
  readonly pingIntervalMs?: number;
}

const UNAUTHENTICATED = 16;
const UNIMPLEMENTED = 12;
/** As yellowstone-grpc-geyser/src/version.rs writes it. */
const VERSION = JSON.stringify({
  version: {
    package: 'yellowstone-grpc-geyser',
    version: '15.1.1+solana.4.2.1',
    proto: '12.6.0',
    solana: '4.2.1',
    git: 'simulated',
    rustc: '1.95.0',
    buildts: '2026-08-13T00:00:00.000000000Z',
  },
  extra: { hostname: 'simulated' },
});
const WINDOW: WindowOptions = { windowSlots: 300, confirmedLagSlots: 1, finalizedLagSlots: 31 };
const LIMITS: StreamLimits = { queueBytes: 64 * 1024 * 1024, replaySlots: 150 };

/**
 * The simulated chain behind the `Subscribe` call of a Yellowstone server. The faults for sockets
 * and notifications apply to its streams too; `subscribeError` refuses a call, and `listHoles`
 * omits blocks. Order, messages and codes are those of yellowstone-grpc-geyser.
 */
export class YellowstoneFace {
  private readonly server = new Server();
  private readonly subscribers = new Set<YellowstoneSubscriber>();
  private readonly window: BlockWindow;
  private readonly faults: Faults;
  private readonly pings: NodeJS.Timeout | null;
  private shown: ChainView | null = null;
  private startedCalls = 0;

  constructor(options: YellowstoneOptions = {}) {
    const { token = null, pingIntervalMs = 10_000, version = VERSION } = options;
    this.window = new BlockWindow({ ...WINDOW, ...options.window });
    this.faults = options.faults ?? new Faults();
    const context = {
      faults: this.faults,
      limits: { ...LIMITS, ...options.limits },
      currentView: () => this.window.view(),
    };
    const subscribe = (call: StreamCall) => {
      this.startedCalls++;
      const subscriber = new YellowstoneSubscriber(call, context);
      if (token !== null && call.metadata.get('x-token')[0] !== token) {
        subscriber.end(UNAUTHENTICATED, 'No valid auth token');
        return;
      }
      this.subscribers.add(subscriber);
      for (const event of ['end', 'error', 'cancelled', 'close']) {
        call.on(event, () => this.subscribers.delete(subscriber));
      }
    };
    const getVersion: handleUnaryCall<Buffer, Buffer> = (call, answer) => {
      if (token !== null && call.metadata.get('x-token')[0] !== token) {
        answer({ code: UNAUTHENTICATED, details: 'No valid auth token' });
      } else if (version === null) {
        answer({ code: UNIMPLEMENTED, details: '' });
      } else answer(null, versionAnswer(version));
    };
    const calls: UntypedServiceImplementation = { subscribe, getVersion };
    this.server.addService(SERVICE, calls);
    this.pings = pingIntervalMs > 0 ? setInterval(() => this.ping(), pingIntervalMs) : null;
    this.pings?.unref();
  }

  get clients(): number {
    return this.subscribers.size;
  }

  /** Number of calls so far, including refused ones. */
  get calls(): number {
    return this.startedCalls;
  }

  /** Adds the next block, in slot order, and notifies subscribers. */
  accept(step: ChainStep): void {
    const block = withChangedPrograms(step.block, this.faults.settings.changedPrograms);
    this.window.accept({ ...step, block });
    const view = this.window.view();
    if (this.shown !== null) {
      for (const subscriber of this.subscribers) subscriber.publish(this.shown, view);
    }
    this.shown = view;
  }

  /**
   * Listens without TLS and returns the port. Port 0 selects a free one. Rejects with the system's
   * error.
   */
  async listen(port: number, host = '127.0.0.1'): Promise<number> {
    return await new Promise((resolve, reject) => {
      const security = ServerCredentials.createInsecure();
      this.server.bindAsync(`${host}:${port}`, security, (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
  }

  /** Closes every connection and stops listening. */
  close(): void {
    if (this.pings !== null) clearInterval(this.pings);
    this.server.forceShutdown();
  }

  private ping(): void {
    for (const subscriber of this.subscribers) subscriber.ping();
  }
}

/** Wraps a served simulation to forward each of its blocks to a Yellowstone server as well. */
export function withYellowstone(
  simulation: ServedSimulation,
  face: YellowstoneFace,
): ServedSimulation {
  return {
    world: simulation.world,
    step: () => {
      const step = simulation.step();
      if (step !== null) face.accept(step);
      return step;
    },
  };
}

/** `GetVersionResponse { string version = 1; }`. */
function versionAnswer(version: string): Buffer {
  const writer = new ProtobufWriter();
  writer.text(1, version);
  return asBuffer(writer.done());
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
const asIs = (bytes: Buffer) => bytes;

const SERVICE = {
  subscribe: {
    path: '/geyser.Geyser/Subscribe',
    requestStream: true,
    responseStream: true,
    requestSerialize: asBuffer,
    requestDeserialize: asIs,
    responseSerialize: asBuffer,
    responseDeserialize: asIs,
  },
  getVersion: {
    path: '/geyser.Geyser/GetVersion',
    requestStream: false,
    responseStream: false,
    requestSerialize: asBuffer,
    requestDeserialize: asIs,
    responseSerialize: asBuffer,
    responseDeserialize: asIs,
  },
};
