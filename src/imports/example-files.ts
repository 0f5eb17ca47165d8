// A small file of each format for the OpenAPI document. Without a domain: a domain is unique, so the second try would fail.

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
