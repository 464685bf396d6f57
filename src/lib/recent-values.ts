/**
 * A cache of values by number from 0 to 2^32 - 2, at most as many as it has places: a value has the
 * place of its number's last bits, and numbers used at one time were mostly assigned one after
 * another.
 */
export class RecentValues<Value> {
  private readonly placesMax: number;
  private ids = new Uint32Array(0);
  private values: (Value | undefined)[] = [];
  /** Values that lost their place to another one since the cache last grew. */
  private displaced = 0;

  /** `placesMax` is a power of two, at least 256. */
  constructor(placesMax: number) {
    this.placesMax = placesMax;
    this.resize(PLACES_MIN);
  }

  get(id: number): Value | undefined {
    const place = id & (this.ids.length - 1);
    return this.ids[place] === id ? this.values[place] : undefined;
  }

  set(id: number, value: Value): void {
    const place = id & (this.ids.length - 1);
    const known = this.ids[place] as number;
    this.ids[place] = id;
    this.values[place] = value;
    if (known !== FREE && known !== id) this.noteDisplaced();
  }

  delete(id: number): void {
    const place = id & (this.ids.length - 1);
    if (this.ids[place] !== id) return;
    this.ids[place] = FREE;
    this.values[place] = undefined;
  }

  /** Most caches are small, those of tests: places are added when there are too few. */
  private noteDisplaced(): void {
    this.displaced++;
    if (this.displaced < this.ids.length || this.ids.length >= this.placesMax) return;
    const { ids, values } = this;
    this.resize(2 * ids.length);
    for (const [place, id] of ids.entries()) if (id !== FREE) this.set(id, values[place] as Value);
  }

  private resize(places: number): void {
    this.ids = new Uint32Array(places).fill(FREE);
    this.values = new Array<Value | undefined>(places);
    this.displaced = 0;
  }
}

const FREE = 0xffff_ffff;
const PLACES_MIN = 1 << 8;
