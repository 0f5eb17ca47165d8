import { describe, expect, it } from 'vitest';
import { affected, CRITICAL, MAJOR, MINOR, useIncidents } from './use-incidents.js';

const { server, ask, at, make, get, post, update, updatesOf, intervalsOf, monitor } = useIncidents();

describe('the updates of an incident', () => {
  it('set its status, affected monitors, impact and resolved_at', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL, [two]: MAJOR });
    expect(await get(id)).toMatchObject({
      status: 'identified',
      impact: 'critical',
      monitors: affected({ [one]: CRITICAL, [two]: MAJOR }),
      resolved_at: null,
    });
    await update(id, 20, 'monitoring', { [two]: MINOR });
    expect(await get(id)).toMatchObject({
      status: 'monitoring',
      impact: 'critical',
      monitors: affected({ [two]: MINOR }),
    });
    await update(id, 30, 'resolved');
    expect(await get(id)).toMatchObject({
      status: 'resolved',
      impact: 'critical',
      monitors: [],
      resolved_at: at(30),
    });
  });

  it('store each status interval of a monitor, not only the last', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL, [two]: MAJOR });
    await update(id, 20, 'monitoring', { [two]: MAJOR });
    expect(await intervalsOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [CRITICAL, 10, 20],
    ]);
    expect(await intervalsOf(id, two)).toEqual([[MAJOR, 10, null]]);
    await update(id, 30, 'resolved');
    expect(await intervalsOf(id, two)).toEqual([[MAJOR, 10, 30]]);
  });

  it('write only the intervals that change', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL });
    await update(id, 20, 'identified', { [one]: MAJOR });
    const writesOf = () =>
      server.sql<{ write: string }[]>(
        'SELECT xmin::text AS write FROM incident_impacts WHERE incident_id = $1 ORDER BY started_at',
        [id],
      );
    const [, ...others] = await writesOf();
    expect((await ask('PATCH', `/${id}`, { started_at: at(-5) })).status).toBe(200);
    expect(await intervalsOf(id, one)).toEqual([
      [MINOR, -5, 10],
      [CRITICAL, 10, 20],
      [MAJOR, 20, null],
    ]);
    expect((await writesOf()).slice(1)).toEqual(others);
  });

  it('do not change the affected monitors if monitors is omitted or null', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified');
    await post(id, { posted_at: at(20), monitors: null });
    expect((await get(id)).monitors).toEqual(affected({ [one]: MAJOR }));
    expect(await intervalsOf(id, one)).toEqual([[MAJOR, 0, null]]);
    await update(id, 30, 'monitoring', {});
    expect(await get(id)).toMatchObject({ status: 'monitoring', impact: 'major', monitors: [] });
    expect(await intervalsOf(id, one)).toEqual([[MAJOR, 0, 30]]);
    expect((await updatesOf(id)).map(({ monitors }) => monitors)).toEqual([
      [],
      null,
      null,
      affected({ [one]: MAJOR }),
    ]);
  });

  it('reopen a resolved incident with its previous monitors', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'resolved');
    await update(id, 20, 'investigating');
    expect(await get(id)).toMatchObject({
      status: 'investigating',
      monitors: affected({ [one]: MAJOR }),
      resolved_at: null,
    });
    expect(await intervalsOf(id, one)).toEqual([
      [MAJOR, 0, 10],
      [MAJOR, 20, null],
    ]);
    await update(id, 30, 'resolved');
    expect((await get(id)).resolved_at).toBe(at(30));
  });

  it('can affect other monitors when they reopen or resolve it', async () => {
    const [one, two, three] = [await monitor(), await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'resolved', { [two]: MINOR });
    expect((await get(id)).monitors).toEqual([]);
    await update(id, 20, 'identified');
    expect((await get(id)).monitors).toEqual(affected({ [two]: MINOR }));
    await update(id, 30, 'resolved');
    await update(id, 40, 'identified', { [three]: CRITICAL });
    expect((await get(id)).monitors).toEqual(affected({ [three]: CRITICAL }));
    expect(await intervalsOf(id, one)).toEqual([[MAJOR, 0, 10]]);
    expect(await intervalsOf(id, two)).toEqual([[MINOR, 20, 30]]);
    expect(await intervalsOf(id, three)).toEqual([[CRITICAL, 40, null]]);
  });

  it('keep the first resolved_at if they resolve it twice', async () => {
    const { id } = await make();
    await update(id, 10, 'resolved');
    await update(id, 20, 'resolved');
    expect(await get(id)).toMatchObject({ status: 'resolved', resolved_at: at(10) });
  });

  it('apply in the order of their times, not of their creation', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 30, 'resolved');
    await update(id, 10, 'identified', { [one]: CRITICAL });
    await update(id, 20, 'monitoring', { [one]: MAJOR });
    expect(await get(id)).toMatchObject({ status: 'resolved', impact: 'critical', resolved_at: at(30) });
    expect(await intervalsOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [CRITICAL, 10, 20],
      [MAJOR, 20, 30],
    ]);
  });

  it('apply in order of creation at equal times, with an empty interval only for monitors without another', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL, [two]: MAJOR });
    await update(id, 10, 'monitoring', { [one]: MAJOR });
    expect(await get(id)).toMatchObject({ status: 'monitoring', impact: 'critical' });
    expect(await intervalsOf(id, one)).toEqual([[MAJOR, 0, null]]);
    expect(await intervalsOf(id, two)).toEqual([[MAJOR, 10, 10]]);
    await update(id, 0, 'investigating', { [one]: MINOR });
    expect(await intervalsOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [MAJOR, 10, null],
    ]);
  });

  it('set monitors until the next update with monitors, even if they are backdated', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 20, 'monitoring');
    await update(id, 10, 'identified', { [one]: MAJOR });
    expect((await get(id)).monitors).toEqual(affected({ [one]: MAJOR }));
    expect(await intervalsOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [MAJOR, 10, null],
    ]);
  });
});

describe('the impact of an incident', () => {
  it('stays as set until it is set to null', async () => {
    const one = await monitor();
    const { id } = await make({ impact: 'minor', monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL });
    expect((await get(id)).impact).toBe('minor');
    expect((await ask('PATCH', `/${id}`, { impact: null })).body.data).toMatchObject({ impact: 'critical' });
    expect((await ask('PATCH', `/${id}`, { impact: 'none' })).body.data).toMatchObject({ impact: 'none' });
    await update(id, 20, 'resolved');
    expect((await get(id)).impact).toBe('none');
  });

  it('falls if the worst update is deleted', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    const worst = await update(id, 10, 'identified', { [one]: CRITICAL });
    expect((await get(id)).impact).toBe('critical');
    await ask('DELETE', `/${id}/updates/${worst.id}`);
    expect((await get(id)).impact).toBe('minor');
  });
});

describe('the start of an incident', () => {
  it('moves the first interval in both directions', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 30, 'resolved');
    for (const minute of [-60, 20, 30, 0]) {
      const { status, body } = await ask('PATCH', `/${id}`, { started_at: at(minute) });
      expect([status, body.data.started_at, body.data.resolved_at]).toEqual([200, at(minute), at(30)]);
      expect(await intervalsOf(id, one)).toEqual([[MAJOR, minute, 30]]);
    }
  });

  it('sets the effective time of the first created update', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    const [first] = await updatesOf(id);
    expect(first?.posted_at).toBe(at(0));
    await update(id, 10, 'identified', { [one]: MINOR });
    const { status } = await ask('PATCH', `/${id}/updates/${first?.id}`, { posted_at: at(100) });
    expect(status).toBe(200);
    expect((await get(id)).status).toBe('identified');
    expect(await intervalsOf(id, one)).toEqual([
      [MAJOR, 0, 10],
      [MINOR, 10, null],
    ]);
  });

  it('moves to the time of the second update if the first one is deleted', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified', { [two]: MINOR });
    const first = (await updatesOf(id)).at(-1);
    expect((await ask('DELETE', `/${id}/updates/${first?.id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: 'identified', impact: 'minor', started_at: at(10) });
    expect(await intervalsOf(id, one)).toEqual([]);
    expect(await intervalsOf(id, two)).toEqual([[MINOR, 10, null]]);
  });

  it('moves to the next created update without changing updates that were posted before it', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 20, 'resolved');
    await update(id, 10, 'identified', { [one]: CRITICAL });
    const first = (await updatesOf(id)).at(-1);
    expect((await ask('DELETE', `/${id}/updates/${first?.id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: 'resolved', resolved_at: at(20) });
    expect(await intervalsOf(id, one)).toEqual([[CRITICAL, 10, 20]]);
  });

  it('stays if another update is deleted', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    const second = await update(id, 10, 'identified');
    expect((await ask('DELETE', `/${id}/updates/${second.id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ started_at: at(0) });
  });
});
