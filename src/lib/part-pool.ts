/** Parts of memory of one size that are used again and again, so that none is allocated for each use. */
export class PartPool<Part> {
  private readonly create: () => Part;
  private readonly sparesMax: number;
  private readonly spares: Part[] = [];

  /** At most `sparesMax` parts are kept for later. */
  constructor(create: () => Part, sparesMax: number) {
    this.create = create;
    this.sparesMax = sparesMax;
  }

  /** A part that is not in use; it contains what it was given back with. */
  take(): Part {
    return this.spares.pop() ?? this.create();
  }

  /** The caller uses the part no more. */
  give(part: Part): void {
    if (this.spares.length < this.sparesMax) this.spares.push(part);
  }
}
