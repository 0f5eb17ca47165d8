/** The package has no types of its own; this is the part that we use. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock of the kernel's on an open file, or answers false at once where another holds it. */
  export function tryLock(fd: number): boolean;
}
