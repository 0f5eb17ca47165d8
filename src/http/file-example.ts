import { ApiExtension } from '@nestjs/swagger';

/** The key under which {@link FileExample} leaves its text for `openapi.ts`. */
export const FILE_EXAMPLE = 'x-file-example';

/** Documents the file that an operation takes by a small example, as text. */
export const FileExample = (file: string) => ApiExtension(FILE_EXAMPLE, file);
