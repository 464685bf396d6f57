import type { OffchainAppended } from '../model/offchain-stream.ts';

const BYTES = 16;
const WAITING = 0;
const KINDS = ['appended', 'refused', 'unavailable', 'too-long'] as const;

/**
 * Where one thread waits, without doing anything else, for what another answers. One question is
 * asked at a time.
 */
export class AnswerCell {
  readonly buffer: SharedArrayBuffer;
  private readonly state: Int32Array;
  private readonly seq: Float64Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.buffer = buffer;
    this.state = new Int32Array(buffer, 0, 1);
    this.seq = new Float64Array(buffer, 8, 1);
  }

  /** Asks the other thread, and waits for its answer. */
  ask(post: () => void): OffchainAppended {
    Atomics.store(this.state, 0, WAITING);
    post();
    Atomics.wait(this.state, 0, WAITING);
    const kind = KINDS[Atomics.load(this.state, 0) - 1];
    if (kind === undefined) throw new RangeError('an answer of no kind');
    return kind === 'appended' ? { kind, seq: this.seq[0] ?? 0 } : { kind };
  }

  answer(answer: OffchainAppended): void {
    if (answer.kind === 'appended') this.seq[0] = answer.seq;
    Atomics.store(this.state, 0, KINDS.indexOf(answer.kind) + 1);
    Atomics.notify(this.state, 0);
  }
}
