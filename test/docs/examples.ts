import { readFile } from 'node:fs/promises';

/** Every curl command in a document with its response: JSON, or the text of a response without a body. */
export async function examplesOf(path: string): Promise<{ command: string; kind: string; shown: string }[]> {
  const text = await readFile(path, 'utf8');
  return [...text.matchAll(/```sh\n(curl [^`]*)```\n\n```(json|text)\n([^`]*(?:`[^`]+`[^`]*)*?)```/g)].map(
    ([, command = '', kind = '', shown = '']) => ({ command, kind, shown }),
  );
}
