/** Scripts that run in the page that is measured, before its own. */

/** Counts frames: `frames` are the times between two of them, in milliseconds. */
export const COUNT_FRAMES = `
  globalThis.frames_ = [];
  let last = performance.now();
  const next = (now) => {
    globalThis.frames_.push(now - last);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
`;

/**
 * Notes when a message about a slot arrives, and when the frame that shows the slot in the status
 * line begins: `shown_` has the delay of each slot and the age of its block time on arrival.
 */
export const WATCH_SLOTS = `
  globalThis.shown_ = [];
  const arrivals = new Map();
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(...parts) {
      super(...parts);
      this.addEventListener('message', ({ data }) => {
        const message = JSON.parse(data);
        if (message.topic !== 'chain') return;
        const ageMs = Date.now() - Date.parse(message.data.timestamp);
        arrivals.set(message.slot, { atMs: performance.now(), ageMs });
      });
    }
  };
  const watch = () => {
    const text = document.querySelector('.status-slot')?.textContent ?? '';
    const slot = Number(text.replace(/\\D/g, ''));
    const arrival = arrivals.get(slot);
    if (arrival !== undefined) {
      arrivals.delete(slot);
      globalThis.shown_.push([performance.now() - arrival.atMs, arrival.ageMs]);
    }
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
`;

/**
 * Notes how long after its message the close of a candle is written at the price axis: `candles_`
 * has the delay of each message in milliseconds. Of closes that were followed by others before they
 * were drawn, until a later one is.
 */
export const WATCH_CANDLES = `
  globalThis.candles_ = [];
  let waiting = [];
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(...parts) {
      super(...parts);
      this.addEventListener('message', ({ data }) => {
        const message = JSON.parse(data);
        if (message.topic !== 'candles' || message.undo || message.data.close === null) return;
        waiting.push({ atMs: performance.now(), close: Number(message.data.close) });
      });
    }
  };
  // As the axis writes a price: 0.0₄1235 is 0.00001235.
  const priceOf = (text) => Number(text.replace(/,/g, '').replace(/[₀-₉]+/, (digits) =>
    '0'.repeat(Number([...digits].map((digit) => digit.charCodeAt(0) - 0x2080).join('')) - 1)));
  const fillText = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...parts) {
    const price = priceOf(String(text));
    const found = waiting.findLastIndex(({ close }) => Math.abs(price / close - 1) < 1e-3);
    if (found >= 0) {
      const nowMs = performance.now();
      for (const { atMs } of waiting.splice(0, found + 1)) globalThis.candles_.push(nowMs - atMs);
    }
    return fillText.call(this, text, ...parts);
  };
`;

/**
 * Takes the place of the service's stream: `updates` times a second it sends `rows` messages about
 * pools, to the subscriptions that there are, each with another price.
 */
export function updatingStream(rows: number, updates: number): string {
  return `
    globalThis.delivered_ = 0;
    globalThis.WebSocket = class {
      static OPEN = 1;
      constructor() {
        this.readyState = 0;
        this.pools = new Map();
        this.seq = 1;
        setTimeout(() => { this.readyState = 1; this.onopen?.(); }, 5);
        setInterval(() => this.update(), ${1_000 / updates});
      }
      say(message) { this.onmessage?.({ data: JSON.stringify(message) }); }
      send(text) {
        const { op, id, topic, params } = JSON.parse(text);
        if (op === 'subscribe') {
          if (topic === 'pool') this.pools.set(id, params.pair_address);
          queueMicrotask(() => this.say({ op: 'ack', id, seq: this.seq++, slot: 2 }));
        } else if (op === 'unsubscribe') this.pools.delete(id);
        else this.say({ op: 'pong', seq: this.seq });
      }
      close() {}
      update() {
        const pools = [...this.pools];
        if (pools.length === 0) return;
        for (let row = 0; row < ${rows}; row++) {
          const [id, pair] = pools[row % pools.length];
          const price = (Math.random() * 1e-4).toFixed(18);
          this.say({ id, topic: 'pool', seq: this.seq++, slot: this.seq,
            data: { pair_address: pair, price_usd: price } });
          globalThis.delivered_++;
        }
      }
    };
  `;
}
