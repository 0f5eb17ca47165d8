import type { Statement } from '../support/statements.js';

/** The independent parts of a statement: queries in parentheses, and the rest without them. */
function partsOf(statement: string): string[] {
  const parts: string[] = [];
  const open = [''];
  const append = (text: string) => {
    open[open.length - 1] += text;
  };
  for (const char of statement.replaceAll(/\s+/g, ' ')) {
    if (char === '(') open.push('');
    else if (char === ')' && open.length > 1) {
      const inner = open.pop() ?? '';
      const isQuery = /^ ?(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(inner);
      if (isQuery) parts.push(inner.trim());
      append(isQuery ? '()' : `(${inner})`);
    } else append(char);
  }
  return [...parts, ...open];
}

/** Whether a part compares or joins by an `organization_id` for each table of a tenant, and inserts one. */
function namesOrganization(part: string, tenantTables: string[]): boolean {
  const tables = `(${tenantTables.join('|')})`;
  const count = (pattern: string) => [...part.matchAll(new RegExp(pattern, 'g'))].length;
  const named = count(String.raw`\b(FROM|JOIN|UPDATE|USING) "?${tables}\b`);
  const compared = count(
    String.raw`\b(WHERE|ON|AND) \(*("?\w+"?\.)?"?organization_id"? (=|IN\b)|\bUSING \([^)]*organization_id`,
  );
  return (
    compared >= named &&
    count(String.raw`\bINSERT INTO "?${tables}\b`) ===
      count(String.raw`\bINSERT INTO "?\w+"?( AS \w+)? ?\([^)]*"?organization_id"?`)
  );
}

/** The parts of statements that use a tenant's table. A name after a dot is a column. */
export function partsOnTenants(statements: Statement[], tenantTables: string[]): string[] {
  const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING)\\b.*\\b(${tenantTables.join('|')})\\b`);
  return [...new Set(statements.flatMap(({ text }) => partsOf(text)))].filter((part) => named.test(part));
}

/** The parts of statements that read or write across organizations, from FROM to the end. */
export function partsAcross(statements: Statement[], tenantTables: string[]): string[] {
  const from = new RegExp(`\\b(FROM|UPDATE) "?(${tenantTables.join('|')})\\b`);
  const across = partsOnTenants(statements, tenantTables)
    .filter((part) => !namesOrganization(part, tenantTables))
    .map((part) => part.slice(Math.max(0, part.search(from))).trim());
  return [...new Set(across)].toSorted();
}

/** Returns the text of a file of statements, without their common indentation. */
export function sqlFile(texts: Set<string>): string {
  const statements = [...texts].map((text) => {
    const [first = '', ...rest] = text.trim().split('\n');
    const indents = rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
    const common = Math.min(...indents, text.startsWith('\n') ? text.search(/\S/) - 1 : Infinity);
    return [first, ...rest.map((line) => line.slice(common).trimEnd())]
      .filter((line) => line !== '')
      .join('\n');
  });
  return `-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u\n\n${statements.toSorted().join(';\n\n')};\n`;
}

/** Tables whose rows change only while the row of another table is locked. */
const LOCKED_WITH: Record<string, string> = {
  incident_updates: 'incidents',
  maintenance_updates: 'maintenances',
};

/** The changes of rows with versions in transactions that have not locked a row of the table before. */
export function changedWithoutLock(statements: Statement[], tables: string[]): string[] {
  const found = new Set<string>();
  let locked: Set<string> | undefined;
  for (const { text } of statements) {
    if (/^(START TRANSACTION|BEGIN)\b/i.test(text)) locked = new Set();
    if (/^(COMMIT|ROLLBACK)$/i.test(text)) locked = undefined;
    // `queryLocked` sends the lock of a single statement, such as the last use of a key, which is saved at any time.
    if (!locked || text.includes('SET last_used_at')) continue;
    for (const part of partsOf(text)) {
      const lock = /\bFROM "?(\w+)"?.* FOR (NO KEY )?UPDATE\b/.exec(part);
      if (lock?.[1] !== undefined) locked.add(lock[1]);
      const [, operation = '', table = ''] = /\b(UPDATE|DELETE FROM) "?(\w+)"?/.exec(lock ? '' : part) ?? [];
      if (tables.includes(table) && !locked.has(LOCKED_WITH[table] ?? table))
        found.add(`${operation} ${table}`);
    }
  }
  return [...found].toSorted();
}
