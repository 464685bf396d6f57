/**
 * A cache of texts by number from 0 on, at most as many as it has places: a text has the place of
 * its number's last bits, and numbers used at one time were mostly assigned one after another.
 */
export class RecentTexts<Text extends string> {
  private ids = new Int32Array(0);
  private texts: Text[] = [];
  /** Texts that lost their place to another one since the cache last grew. */
  private displaced = 0;

  constructor() {
    this.resize(PLACES_MIN);
  }

  get(id: number): Text | undefined {
    const place = id & (this.ids.length - 1);
    return this.ids[place] === id ? this.texts[place] : undefined;
  }

  set(id: number, text: Text): void {
    const place = id & (this.ids.length - 1);
    const known = this.ids[place] as number;
    this.ids[place] = id;
    this.texts[place] = text;
    if (known !== FREE && known !== id) this.noteDisplaced();
  }

  private noteDisplaced(): void {
    this.displaced++;
    if (this.displaced < this.ids.length || this.ids.length >= PLACES_MAX) return;
    const { ids, texts } = this;
    this.resize(2 * ids.length);
    for (const [place, id] of ids.entries()) if (id !== FREE) this.set(id, texts[place] as Text);
  }

  private resize(places: number): void {
    this.ids = new Int32Array(places).fill(FREE);
    this.texts = new Array<Text>(places);
    this.displaced = 0;
  }
}

const FREE = -1;
const PLACES_MIN = 1 << 8;
const PLACES_MAX = 1 << 17;
