/** Small files of each format, as the OpenAPI document shows them; "Try it out" in `/docs` sends them. */

export const STATUSPAGE_EXAMPLE = JSON.stringify({
  page: { id: 'kctbh9vrtdwd', name: 'Initech', url: 'https://status.initech.example' },
  components: [
    { id: 'core', name: 'Core services', position: 1, group: true, group_id: null },
    { id: 'api', name: 'API', status: 'operational', position: 1, group: false, group_id: 'core' },
    { id: 'website', name: 'Website', status: 'operational', position: 2, group: false, group_id: 'core' },
  ],
});

export const UPPTIME_EXAMPLE = `owner: hooli
repo: status
sites:
  - name: Search
    url: https://search.hooli.example
  - name: Mail
    url: https://mail.hooli.example
status-website:
  name: Hooli status
`;

export const GATUS_EXAMPLE = `endpoints:
  - name: Website
    group: Core
    url: https://globex.example
    interval: 1m
    conditions:
      - "[STATUS] == 200"
  - name: API
    group: Core
    url: https://api.globex.example
ui:
  title: Globex
`;
