import type { WebSocket } from 'ws';
import type { BlockAnswers } from './block-answers.ts';
import type { ChainView } from './block-window.ts';
import { halfOf, WEB_PAGE } from './damage.ts';
import type { Faults } from './faults.ts';
import { internalError, invalidParams, RpcError } from './rpc-error.ts';
import {
  type CallId,
  errorText,
  notificationText,
  parseRpcBody,
  type RefusedCall,
  type RpcCall,
  resultText,
} from './rpc-message.ts';
import { notificationsOf, parseSubscription, type Subscription } from './subscription.ts';

export interface SubscriberLimits {
  /** Maximum bytes queued for a client, including the next message, before it is disconnected. */
  readonly bufferBytes: number;
  readonly subscriptions: number;
}

/** The parts of a node that a subscriber needs. */
export interface SubscriberContext {
  readonly answers: BlockAnswers;
  readonly faults: Faults;
  readonly limits: SubscriberLimits;
  /** Returns ids that are unique among all subscriptions of a node. */
  readonly nextId: () => number;
}

interface Listening {
  readonly id: number;
  readonly subscription: Subscription;
  notified: number;
  /** Sends nothing more. */
  isLost: boolean;
  /** Sent after the next one. */
  delayed: string | null;
}

/** One WebSocket client and its subscriptions. */
export class Subscriber {
  private readonly socket: WebSocket;
  private readonly context: SubscriberContext;
  private readonly listening = new Map<number, Listening>();
  /** The connection stays open, but nothing is transmitted any more. */
  private isStalled = false;

  constructor(socket: WebSocket, context: SubscriberContext) {
    this.socket = socket;
    this.context = context;
    socket.on('message', (data, isBinary) => {
      if (this.isStalled) return;
      this.answer(isBinary ? '' : String(data));
    });
    socket.on('ping', (data) => {
      if (!this.isStalled) socket.pong(data);
    });
    // A failed socket closes itself; there is no client to notify.
    socket.on('error', () => socket.terminate());
  }

  ping(): void {
    if (!this.isStalled) this.socket.ping();
  }

  /** Sends the notifications of a new block. */
  publish(before: ChainView, after: ChainView): void {
    for (const listening of this.listening.values()) {
      if (listening.isLost) continue;
      const { subscription, id } = listening;
      const found = notificationsOf(subscription, before, after, this.context.answers);
      for (const { resultJson } of found) {
        this.notify(
          listening,
          notificationText(`${subscription.kind}Notification`, id, resultJson),
        );
      }
    }
  }

  private notify(listening: Listening, text: string): void {
    const { faults } = this.context;
    const { id, subscription } = listening;
    const key = `${subscription.kind} ${id} ${listening.notified++}`;
    if (faults.strikes('subscriptionLoss', key)) listening.isLost = true;
    if (faults.strikes('socketStall', key)) this.isStalled = true;
    if (faults.strikes('socketCut', key)) this.socket.terminate();
    if (listening.isLost || this.isStalled) return;
    const isGarbage = faults.strikes('notificationGarbage', key);
    const sent = isGarbage
      ? garbageOf(text, faults.details('notificationGarbage', key).unit())
      : text;
    const delayed = listening.delayed;
    if (delayed === null && faults.strikes('notificationSwap', key)) {
      listening.delayed = sent;
      return;
    }
    this.send(sent);
    if (faults.strikes('notificationDuplicate', key)) this.send(sent);
    if (delayed !== null) this.send(delayed);
    listening.delayed = null;
  }

  /** Disconnects a client that does not read before more than the limit is queued for it. */
  private send(text: string): void {
    const { socket, context } = this;
    if (socket.readyState !== socket.OPEN) return;
    const waiting = socket.bufferedAmount + Buffer.byteLength(text);
    if (waiting > context.limits.bufferBytes) socket.terminate();
    else socket.send(text);
  }

  private answer(text: string): void {
    const body = parseRpcBody(text);
    const calls = body.kind === 'single' ? [body.call] : body.calls;
    const answers = calls.flatMap((call) => this.answerCall(call) ?? []);
    if (answers.length === 0) return;
    this.send(body.kind === 'single' ? answers.join('') : `[${answers.join(',')}]`);
  }

  private answerCall(call: RpcCall | RefusedCall): string | null {
    if ('refusal' in call) return errorText(call.id, call.refusal);
    const id: CallId = call.id ?? null;
    try {
      const result = call.method.endsWith('Unsubscribe')
        ? this.unsubscribe(call)
        : this.subscribe(call);
      return call.id === undefined ? null : resultText(id, JSON.stringify(result));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return call.id === undefined ? null : errorText(id, error);
    }
  }

  private subscribe({ method, params }: RpcCall): number {
    const { faults, limits, nextId } = this.context;
    const subscription = parseSubscription(method, params);
    if (faults.strikes('subscribeError', faults.ask(method))) throw internalError();
    if (this.listening.size >= limits.subscriptions) {
      throw new RpcError(
        -32603,
        'Internal Error: Subscription refused. Node subscription limit reached',
      );
    }
    const id = nextId();
    this.listening.set(id, { id, subscription, notified: 0, isLost: false, delayed: null });
    return id;
  }

  private unsubscribe({ method, params }: RpcCall): boolean {
    const [id] = params;
    const known = typeof id === 'number' ? this.listening.get(id) : undefined;
    if (known === undefined || `${known.subscription.kind}Unsubscribe` !== method) {
      throw invalidParams('Invalid subscription id.');
    }
    return this.listening.delete(known.id);
  }
}

function garbageOf(text: string, chance: number): string {
  return chance < 0.5 ? halfOf(text) : WEB_PAGE;
}
