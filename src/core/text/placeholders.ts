// Placeholder texts, such as NULL and #REF!, that programs write for missing or unreadable values.

export const placeholders =
  /^(?:null|none|nil|nan|undefined|\(null\)|\[object object\]|#(?:ref!|n\/a|nv|value!|wert!|name\??!?|div\/0!|bezug!|valeur!|nom\?))$/i;
