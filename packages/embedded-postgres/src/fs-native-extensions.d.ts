/** The package has no types; these are the parts in use. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive kernel lock on an open file; returns false if another process holds it. */
  export function tryLock(fd: number): boolean;
}
