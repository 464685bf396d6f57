/**
 * What a chart asks of a UDF data feed. The TradingView charting library brings a client that asks
 * the same; its errors, too, are in the body.
 */
export class UdfClient {
  constructor(baseUrl = '/udf') {
    this.baseUrl = baseUrl;
  }

  config() {
    return this.ask('config');
  }

  search(query, limit = 30) {
    return this.ask('search', { limit, query, type: '', exchange: '' });
  }

  resolve(symbol) {
    return this.ask('symbols', { symbol });
  }

  /** Bars before `to` (Unix seconds), oldest first. */
  async bars(symbol, resolution, to, countback) {
    const answer = await this.ask('history', { symbol, resolution, from: 0, to, countback });
    if (answer.s === 'no_data') return { bars: [], nextTime: answer.nextTime ?? null };
    const bars = answer.t.map((time, at) => ({
      time,
      open: answer.o[at],
      high: answer.h[at],
      low: answer.l[at],
      close: answer.c[at],
      volume: answer.v[at],
    }));
    return { bars, nextTime: null };
  }

  marks(symbol, resolution, from, to) {
    return this.ask('marks', { symbol, from, to, resolution });
  }

  async ask(path, parameters = {}) {
    const query = new URLSearchParams(parameters);
    const response = await fetch(`${this.baseUrl}/${path}?${query}`);
    const answer = await response.json();
    if (answer.s === 'error') throw new Error(answer.errmsg);
    return answer;
  }
}
