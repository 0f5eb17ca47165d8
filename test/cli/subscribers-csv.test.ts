import { describe, expect, it } from 'vitest';
import { ComponentNames } from '../../src/subscribers/component-names.js';
import { readSubscribersCsv } from '../../src/subscribers/subscribers-csv.js';

const read = (text: string, encoding: BufferEncoding = 'utf8') =>
  readSubscribersCsv(Buffer.from(text, encoding));

const ada = (line = 2, components = '') => ({ email: 'ada@example.com', line, components });

describe('readSubscribersCsv', () => {
  it.each<[string, string, ReturnType<typeof ada>?]>([
    ['commas', 'email,components\nada@example.com,'],
    ['semicolons', 'Email;Components\nada@example.com;'],
    ['semicolons, with commas in a component', 'Email;Components\nada@example.com;A, B', ada(2, 'A, B')],
    ['tabs', 'Email\tComponents\nada@example.com\t'],
    ['a semicolon after a quote', '"Email";"Name, Title"\n"ada@example.com";"Ada, Countess"'],
    ['more semicolons than commas', 'email;name, first;name, last\nada@example.com;Ada;Lovelace'],
    ['a declared comma', 'sep=,\nemail,a;b;c;d\nada@example.com,', ada(3)],
    ['a declared semicolon', 'sep=;\r\nemail;name\r\nada@example.com;Ada\r\n', ada(3)],
    ['a declared tab', '"sep=\t"\nemail\tname\nada@example.com\tAda', ada(3)],
    ['another declared character', 'SEP=|\nemail|name\nada@example.com|Ada', ada(3)],
    ['a byte order mark', '\uFEFFName,"Email Address"\r\n"Lovelace, Ada",ada@example.com\r\n'],
    ['a byte order mark before a declaration', '\uFEFFsep=;\r\nemail;a\r\nada@example.com;\r\n', ada(3)],
    ['one column', 'email\nada@example.com'],
    ['spaces in quotes', '"Email ","components "\n"ada@example.com "," API "', ada(2, 'API')],
    ['spaces after quotes', '"Email" ,"components" \n"ada@example.com" ,"API" ', ada(2, 'API')],
    ['line breaks of an old Mac', 'email,a\rada@example.com,b\r'],
    ['empty lines and rows', '\n\nemail,name\n\n,\n  \nada@example.com,\n,,,\n', ada(7)],
    ['a cell of several lines', 'name,email\n"Ada\n\nLovelace",ada@example.com\n', ada(2)],
    ['rows of other lengths', 'email,components\nada@example.com'],
  ])('reads a file with %s', (_, text, subscriber = ada()) => {
    const { subscribers, faults } = read(text);
    expect([subscribers, faults]).toEqual([[subscriber], []]);
  });

  it('reads UTF-16, as spreadsheets export it', () => {
    expect(read('\uFEFFemail\tname\r\nada@example.com\tÅda\r\n', 'utf16le').subscribers).toEqual([ada()]);
  });

  it.each([
    ['a name of no column', 'name\nada', { line: 1, detail: 'the header has no column "email"' }],
    ['nothing', '\n \n', { line: 1, detail: 'is empty; expected a header with the column "email"' }],
    [
      'an open quote',
      'email\nada@example.com\n\n"bob@example.com\neve@example.com\n',
      { line: 4, detail: 'begins a row with a quote that is not closed' },
    ],
    ['a quote in a cell', 'email,name\na@example.com,"A"B\n', { line: 2, detail: 'is invalid CSV' }],
    ['a wrong address', 'email\nada@example.com\n\nada\n', { line: 4, detail: 'is not an email address' }],
    [
      'a wrong address after a cell of several lines',
      'name,email\n"Ada\r\n\r\nLovelace",ada\n',
      { line: 2, detail: 'is not an email address' },
    ],
    [
      'a wrong address after a declaration',
      'sep=;\nemail;name\nada;Ada',
      { line: 3, detail: 'is not an email address' },
    ],
  ])('reports the line of a file with %s', (_, text, fault) => {
    expect(read(text).faults).toEqual([fault]);
  });

  it('reports invalid UTF-8', () => {
    expect(readSubscribersCsv(Buffer.from([0x65, 0xff])).faults).toEqual([
      { line: 1, detail: 'is not UTF-8' },
    ]);
  });

  it.each([
    ['status', ['enabled', 'active', 'Subscribed', 'confirmed', 'TRUE', 'yes', '1', 'Opted-In', '']],
    ['Subscriber Status', ['active']],
    ['is_active', ['true', '1', 'yes']],
    ['Subscribed', ['true', 'Y']],
    ['confirmed_at', ['2026-01-01T00:00:00Z', '1790000000', 'true', '01/02/26']],
    ['unsubscribedAt', ['', 'null', '0000-00-00 00:00:00', 'false', '0', 'N/A']],
    ['blocklisted', ['no', 'FALSE']],
  ])('imports rows whose %s is one of %j', (column, values) => {
    const rows = values.map((value, index) => `a${index}@example.com,${value}`);
    const { subscribers, not_active } = read(['email,' + column, ...rows].join('\n'));
    expect([subscribers.length, not_active]).toEqual([values.length, 0]);
  });

  it.each([
    [
      'status',
      'blocklisted,disabled,unsubscribed,Unconfirmed,bounced,false,inactive,pending,paused,suppressed,complained,cleaned,opted-out,0,no,gone',
    ],
    ['State', 'quarantined,unconfirmed'],
    ['subscription_status', 'disabled'],
    ['consent', 'no,withdrawn'],
    ['enabled', 'false,0,no,off,,pending'],
    ['confirmed_at', ',null,0000-00-00 00:00:00'],
    ['is_verified', 'false'],
    ['unsubscribed', 'true,1,yes'],
    ['UNSUB_TIME', '2026-01-01 00:00:00'],
    ['bounced_at', '2026-01-01'],
    ['blacklisted', 'x'],
    ['opt-out', 'yes'],
  ])('leaves out and counts rows whose %s is one of %s', (column, values) => {
    const rows = values.split(',').map((value, index) => `a${index}@example.com,${value}`);
    const { subscribers, not_active, faults, ignored_columns } = read(
      ['email,' + column, ...rows].join('\n'),
    );
    expect([subscribers, not_active, faults, ignored_columns]).toEqual([[], rows.length, [], []]);
  });

  it('leaves out a row if one of several columns excludes it', () => {
    const { subscribers, not_active, quarantined } = read(
      [
        'email,status,unsubscribed,quarantined_at',
        'ada@example.com,active,,false',
        'b@example.com,active,true,',
        'c@example.com,disabled,false,',
        'd@example.com,active,,2026-01-01',
      ].join('\n'),
    );
    expect([subscribers, not_active, quarantined]).toEqual([[ada()], 2, 1]);
  });

  it('lists all columns that it does not read', () => {
    const { ignored_columns } = read('uuid,email,Name,,status,email,phone\n1,ada@example.com,,,active,,');
    expect(ignored_columns).toEqual(['uuid', 'Name', 'column 4', 'email', 'phone']);
  });
});

describe('ComponentNames', () => {
  const names = new ComponentNames(
    ['Issues', 'PRs', 'Issues, PRs, Projects', 'Issues, PRs', 'Projects; Packages', 'API', ';'].map(
      (name) => ({ name, id: name }),
    ),
  );

  it.each<[string, string[] | null]>([
    ['', []],
    [' , ;', []],
    ['API', ['API']],
    ['Issues', ['Issues']],
    ['Issues, PRs, Projects', ['Issues, PRs, Projects']],
    ['Issues; PRs ;Projects', ['Issues, PRs, Projects']],
    ['Issues, PRs', ['Issues, PRs']],
    ['Issues, Issues, PRs, API', ['Issues', 'Issues, PRs', 'API']],
    ['PRs, Issues', ['PRs', 'Issues']],
    // The longest name would leave "Packages", which is no name.
    ['Issues, PRs, Projects; Packages', ['Issues, PRs', 'Projects; Packages']],
    ['API, API', ['API']],
    ['Projects', null],
    ['API, Unknown', null],
    ['api', null],
  ])('divides %j into the longest known names', (list, found) => {
    expect(names.idsIn(list)).toEqual(found);
  });

  it('finds all monitors with a name', () => {
    const twice = new ComponentNames([
      { id: '1', name: 'API' },
      { id: '2', name: 'API' },
    ]);
    expect(twice.idsIn('API')).toEqual(['1', '2']);
  });
});
