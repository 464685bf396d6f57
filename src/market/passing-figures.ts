import { FigureArrays } from './figure-arrays.ts';
import { GrowingNumbers } from './growing-numbers.ts';

/**
 * Figures that only some rows have at a time, such as those of windows: a row without has the usual
 * ones and takes four bytes, not eight for each figure.
 */
export class PassingFigures<Name extends string> {
  private readonly figures: FigureArrays<Name>;
  private readonly usual: ReadonlyMap<Name, number>;
  /** By row: where its figures are; 0 for the usual ones, which are at 0. */
  private readonly places = new GrowingNumbers('u32');
  private readonly free: number[] = [];
  private end = 1;

  /** `usual`: the figures of a row without own ones; NaN for unknown. */
  constructor(usual: Readonly<Record<Name, number>>) {
    const entries = Object.entries(usual) as [Name, number][];
    this.usual = new Map(entries);
    this.figures = new FigureArrays(entries.map(([name]) => name));
    this.figures.clear(USUAL);
    this.setUsual(USUAL);
  }

  get allocatedBytes(): number {
    return this.figures.allocatedBytes + this.places.allocatedBytes;
  }

  has(name: Name): boolean {
    return this.usual.has(name);
  }

  /** The numbers of a name by place, until a row is set. */
  of(name: Name): Float64Array | undefined {
    return this.figures.of(name);
  }

  placeOf(row: number): number {
    return this.places.get(row);
  }

  set(row: number, name: Name, value: number): void {
    let place = this.placeOf(row);
    if (place === USUAL) {
      const usual = this.usual.get(name);
      if (value === usual || (Number.isNaN(value) && Number.isNaN(usual))) return;
      place = this.addPlace(row);
    }
    const numbers = this.figures.of(name);
    if (numbers !== undefined) numbers[place] = value;
  }

  /** Gives a row the usual figures. */
  reset(row: number): void {
    const place = this.placeOf(row);
    if (place === USUAL) return;
    this.places.set(row, USUAL);
    this.free.push(place);
  }

  private addPlace(row: number): number {
    const place = this.free.pop() ?? this.end++;
    this.figures.clear(place);
    this.setUsual(place);
    this.places.set(row, place);
    return place;
  }

  private setUsual(place: number): void {
    for (const [name, value] of this.usual) {
      const numbers = this.figures.of(name);
      if (numbers !== undefined) numbers[place] = value;
    }
  }
}

const USUAL = 0;
