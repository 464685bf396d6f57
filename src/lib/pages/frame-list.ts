/** A list of frames without an object for each. */
export class FrameList {
  private frames = new Int32Array(64);
  private count = 0;

  get length(): number {
    return this.count;
  }

  add(frame: number): void {
    if (this.count === this.frames.length) {
      const larger = new Int32Array(2 * this.count);
      larger.set(this.frames);
      this.frames = larger;
    }
    this.frames[this.count++] = frame;
  }

  /** Removes up to `count` frames, those added last, and calls `visit` for each. */
  take(count: number, visit: (frame: number) => void): void {
    const end = Math.max(0, this.count - count);
    while (this.count > end) visit(this.frames[--this.count] as number);
  }

  /** Calls `visit` for each frame and empties the list. `visit` must not add to it. */
  drain(visit: (frame: number) => void): void {
    for (let index = 0; index < this.count; index++) visit(this.frames[index] as number);
    this.count = 0;
  }
}
