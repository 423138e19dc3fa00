//! How a report looks.

/// Black on white. In print: A4 with numbers of pages, heads of tables on every page, no divided rows; drawings on A3.
pub(super) const STYLE: &str = "\
@page{size:A4;margin:18mm 16mm 20mm 16mm;@bottom-right{content:counter(page) ' / ' counter(pages);font-size:9pt}}
@page drawing{size:A3 landscape;margin:0}
@page upright{size:A3 portrait;margin:0}
*{box-sizing:border-box}
body{font:10.5pt/1.45 'Liberation Sans',Arial,Helvetica,sans-serif;color:#000;background:#fff;max-width:190mm;\
margin:0 auto;padding:8mm}
h1{font-size:24pt;line-height:1.2;margin:18mm 0 8mm}
h2{font-size:15pt;margin:0 0 4mm;border-bottom:.4mm solid #000;padding-bottom:1mm}
h3{font-size:11.5pt;margin:6mm 0 2mm}
h2,h3{break-after:avoid}
section{margin:14mm 0 0}
p{margin:0 0 2.5mm}
ul{margin:0 0 3mm;padding-left:5mm}
table{border-collapse:collapse;width:100%;margin:0 0 4mm;font-size:9pt}
thead{display:table-header-group}
tr{break-inside:avoid}
th,td{border:.2mm solid #999;padding:.8mm 1.4mm;text-align:left;vertical-align:top;overflow-wrap:break-word}
th{background:#eee;font-weight:bold;overflow-wrap:normal;hyphens:auto}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
td.n>span{white-space:nowrap}
.more{display:block;color:#444;font-size:8pt}
.hash{font-family:'Liberation Mono',Consolas,monospace;font-size:7pt;overflow-wrap:anywhere}
.verdict{border:.6mm solid #000;padding:3mm;font-size:12pt;margin:5mm 0;break-inside:avoid}
.bad{border-width:1.6mm}
.sign{break-inside:avoid}
.sign td{height:13mm;width:25%}
.lead{font-size:12pt}
.drawing{margin:8mm 0 0}
.drawing svg{display:block;width:100%;height:auto;border:.2mm solid #999}
@media print{
body{max-width:none;padding:0;margin:0}
h1{margin-top:30mm}
section{margin:9mm 0 0}
section.page{break-before:page;margin:0}
th{background:#eee;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.drawing{page:drawing;break-before:page;margin:0;width:420mm;height:296mm;overflow:hidden}
.drawing.upright{page:upright;width:297mm;height:419mm}
.drawing svg{width:100%;height:100%;border:0;print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
";
