// Shows openapi.json by Swagger UI. Nothing is asked of another host, and a key that is typed in is not kept.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});

// Swagger UI has a dark style and leaves the choice to the page: as the reader's system has it, also when that changes.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
choose();
dark.addEventListener('change', choose);
