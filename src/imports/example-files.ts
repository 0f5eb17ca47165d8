// A small file of each format for the OpenAPI document. Without a domain, because domains are unique, so a second import would
// fail.

export const EXAMPLE_STATUSPAGE = {
  page: { id: 'kctbh9vrtdwd', name: 'Acme Cloud', url: 'https://status.acme.example' },
  components: [
    { id: 'b13yz5g2cw10', name: 'Core', position: 1, group: true, group_id: null },
    {
      id: 'k8w3r7qmzs90',
      name: 'API',
      description: 'REST and webhooks',
      status: 'operational',
      position: 1,
      group: false,
      group_id: 'b13yz5g2cw10',
    },
    {
      id: 'pdvt0pmf1v4t',
      name: 'Dashboard',
      description: null,
      status: 'operational',
      position: 2,
      group: false,
      group_id: 'b13yz5g2cw10',
    },
  ],
  incidents: [
    {
      id: 'p31zjtct2jer',
      name: 'Slow responses from the API',
      status: 'resolved',
      impact: 'minor',
      created_at: '2026-01-10T09:12:00.000Z',
      resolved_at: '2026-01-10T09:50:00.000Z',
      incident_updates: [
        {
          id: 'g1zp3jpycgbz',
          status: 'resolved',
          body: 'This incident has been resolved.',
          created_at: '2026-01-10T09:50:00.000Z',
          affected_components: [{ code: 'k8w3r7qmzs90', name: 'API', new_status: 'operational' }],
        },
        {
          id: 'bkwp1fjx0sxj',
          status: 'investigating',
          body: 'We are investigating slow responses.',
          created_at: '2026-01-10T09:12:00.000Z',
          affected_components: [{ code: 'k8w3r7qmzs90', name: 'API', new_status: 'degraded_performance' }],
        },
      ],
      components: [{ id: 'k8w3r7qmzs90', name: 'API', status: 'operational' }],
    },
  ],
  scheduled_maintenances: [
    {
      id: '6gpzw3mdnkwj',
      name: 'Database upgrade',
      status: 'completed',
      scheduled_for: '2026-01-11T02:00:00.000Z',
      scheduled_until: '2026-01-11T03:30:00.000Z',
      incident_updates: [
        {
          id: '8309j5bg0z53',
          status: 'scheduled',
          body: 'Writes are delayed for a few minutes.',
          created_at: '2026-01-09T12:00:00.000Z',
        },
      ],
      components: [{ id: 'k8w3r7qmzs90', name: 'API', status: 'operational' }],
    },
  ],
};

export const EXAMPLE_UPPTIME = `owner: acme
repo: status
sites:
  - name: Website
    url: https://www.acme.example
  - name: API
    url: https://api.acme.example
status-website:
  name: Acme Cloud
`;

export const EXAMPLE_GATUS = `ui:
  title: Acme Cloud
endpoints:
  - name: Website
    group: Core
    url: "https://www.acme.example"
    interval: 5m
    conditions: ["[STATUS] == 200"]
  - name: API
    group: Core
    url: "https://api.acme.example/health"
    conditions: ["[STATUS] == 200"]
`;
