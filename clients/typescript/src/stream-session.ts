import { ApiError, BadAnswerError } from './errors.ts';
import { tryParse } from './http.ts';
import type { StreamEvent, Subscription, TopicEvent } from './stream-types.ts';

interface Open {
  readonly id: string;
  readonly topic: string;
  readonly params: object;
  /** The last message that was received; null before the first answer. */
  position: number | null;
  isResumed: boolean;
}

type Message = Readonly<Record<string, unknown>>;

/** The service is computing its state again, or has too many streams: asked again later. */
const LATER = 503;

/** What has been received of each subscription, over all connections of a stream. */
export class StreamSession {
  private readonly open = new Map<string, Open>();

  constructor(subscriptions: readonly Subscription[]) {
    for (const { topic, params = {}, id = topic, since = null } of subscriptions) {
      if (this.open.has(id)) throw new TypeError(`Two subscriptions are named ${id}.`);
      this.open.set(id, { id, topic, params, position: since, isResumed: since !== null });
    }
  }

  /** The operations that begin or resume all subscriptions on a new connection. */
  operations(): readonly object[] {
    return [...this.open.values()].map(({ id, topic, params, position }) => ({
      ...{ op: 'subscribe', id, topic, params },
      ...(position === null ? {} : { since: position }),
    }));
  }

  /**
   * The events of a message; `hello` for the one that operations are sent after, `later` if the
   * service asks to connect again. Throws ApiError for a subscription that it refuses, and
   * BadAnswerError for what is not a message.
   */
  take(text: string): readonly StreamEvent[] | 'hello' | 'later' {
    const message = tryParse(text);
    if (typeof message !== 'object' || message === null) {
      throw new BadAnswerError('A message of the stream is not a JSON object.');
    }
    const { op } = message as Message;
    switch (op) {
      case undefined:
        return this.receive(message as Message);
      case 'hello':
        return 'hello';
      case 'ack':
        return this.begin(message as Message);
      case 'gap':
        return this.skip(message as Message);
      case 'error':
        return refused(message as Message);
      // What later versions send is none of the messages that were subscribed to.
      default:
        return [];
    }
  }

  private receive(message: Message): readonly StreamEvent[] {
    const { seq, slot, data, undo } = message;
    const open = this.find(message);
    if (!isPosition(seq) || !isPosition(slot) || message.topic !== open.topic) {
      throw new BadAnswerError('A message of the stream has no seq, no slot or another topic.');
    }
    if (data === undefined || (undo !== undefined && undo !== true)) {
      throw new BadAnswerError('A message of the stream has no data, or undo that is not true.');
    }
    // It was received before the connection was lost.
    if (open.position !== null && seq <= open.position) return [];
    open.position = seq;
    const type = undo === true ? 'undo' : 'message';
    return [{ type, id: open.id, topic: open.topic, seq, slot, data } as TopicEvent];
  }

  private begin(message: Message): readonly StreamEvent[] {
    const open = this.find(message);
    const { seq, slot = null } = message;
    if (!isPosition(seq) || (slot !== null && !isPosition(slot))) {
      throw new BadAnswerError('An ack of the stream has no seq, or a slot that is none.');
    }
    const { isResumed } = open;
    open.position ??= seq;
    open.isResumed = true;
    return [{ type: 'ready', id: open.id, seq: open.position, slot, isResumed }];
  }

  private skip(message: Message): readonly StreamEvent[] {
    const { id, from_seq: fromSeq, to_seq: toSeq } = message;
    if (!isPosition(fromSeq) || !isPosition(toSeq)) {
      throw new BadAnswerError('A gap of the stream has no from_seq or no to_seq.');
    }
    const touched = id === null ? [...this.open.values()] : [this.find(message)];
    return touched.map((open) => {
      // Numbers that begin before what was received are those of a service whose clock went back.
      const isBehind = open.position !== null && fromSeq <= open.position;
      open.position = isBehind ? fromSeq - 1 : toSeq;
      return { type: 'gap', id: open.id, fromSeq, toSeq };
    });
  }

  private find({ id }: Message): Open {
    const open = typeof id === 'string' ? this.open.get(id) : undefined;
    if (open === undefined) {
      throw new BadAnswerError('A message of the stream belongs to no subscription.');
    }
    return open;
  }
}

function refused({ code, message }: Message): 'later' {
  if (code === LATER) return 'later';
  const status = typeof code === 'number' ? code : 500;
  throw new ApiError(status, typeof message === 'string' ? message : 'Refused without a reason.');
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
