/** A file of a package that its code can require. */
export interface PackageFile {
  /** Within the package, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** A package of a detector as it was read: plain data, so that threads can be given it. */
export interface DetectorPackage {
  /** Of package.json. */
  readonly name: string;
  readonly packageVersion: string;
  /** SHA-256 over the paths and bytes of all its files, 64 hex digits. */
  readonly hash: string;
  /** The file that exports the detector. */
  readonly main: string;
  readonly files: readonly PackageFile[];
}
